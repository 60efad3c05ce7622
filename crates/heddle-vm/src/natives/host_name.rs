//! The name of the host, and the addresses of names: java.net.Inet4AddressImpl and
//! Inet6AddressImpl. In a search there is no host but the one that the program runs on, which
//! has a name of its own.

use crate::heap::Ref;
use crate::native::{Entry, Frame, Res, Table, call, from_ref, throw, throw_null};
use crate::vm::Vm;
use std::net::{IpAddr, Ipv4Addr, ToSocketAddrs};

pub const TABLE: &[Table] = &[
    ("java/net/Inet4AddressImpl", NAMES),
    ("java/net/Inet6AddressImpl", NAMES),
];

const NAMES: &[Entry] = &[
    ("getLocalHostName()Ljava/lang/String;", local_name),
    (
        "lookupAllHostAddr(Ljava/lang/String;)[Ljava/net/InetAddress;",
        look_up,
    ),
];

/// The host of a program that is searched. Not `localhost`: for that the library would look for
/// network interfaces.
const VIRTUAL_HOST: &str = "heddle";

fn local_name(vm: &mut Vm, _: Frame) -> Res<u64> {
    let name = match vm.heap.tracking {
        true => VIRTUAL_HOST.to_string(),
        false => rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned(),
    };
    Ok(from_ref(vm.new_string(&name)?))
}

fn addresses(vm: &Vm, name: &str) -> Vec<IpAddr> {
    if vm.heap.tracking {
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        return Vec::from_iter([VIRTUAL_HOST, "localhost"].contains(&name).then_some(local));
    }
    let mut found = Vec::new();
    for address in (name, 0).to_socket_addrs().into_iter().flatten() {
        if !found.contains(&address.ip()) {
            found.push(address.ip());
        }
    }
    found
}

/// Slots: the addresses as arrays of bytes, the objects that are made of them.
fn look_up(vm: &mut Vm, f: Frame) -> Res<u64> {
    const BYTES: usize = 0;
    const MADE: usize = 1;
    let name = f.reference(1);
    if name.is_null() {
        return throw_null();
    }
    let class = vm.load_boot("java/net/InetAddress")?;
    vm.ensure_initialized(class)?;
    if f.phase() == 0 {
        let text = vm.string(name);
        let found = addresses(vm, &text);
        if found.is_empty() {
            return throw(
                "java/net/UnknownHostException",
                format!("{text}: Name or service not known"),
            );
        }
        let mut bytes = Vec::new();
        for address in &found {
            bytes.push(match address {
                IpAddr::V4(address) => vm.new_byte_array(&address.octets())?,
                IpAddr::V6(address) => vm.new_byte_array(&address.octets())?,
            });
        }
        let bytes = vm.new_ref_array(vm.known.object, &bytes)?;
        let made = vm.new_ref_array(class, &vec![Ref::NULL; found.len()])?;
        f.set_slot(BYTES, from_ref(bytes));
        f.set_slot(MADE, from_ref(made));
    }
    let (bytes, made, done) = (f.slot_ref(BYTES), f.slot_ref(MADE), f.phase());
    if done > 0 {
        vm.heap.set_element(made, done - 1, f.result_ref());
    }
    if done == vm.heap.length(made) {
        return Ok(from_ref(made));
    }
    f.set_phase(done + 1);
    let make = vm.method(
        class,
        "getByAddress",
        "(Ljava/lang/String;[B)Ljava/net/InetAddress;",
    );
    let next = vm.heap.element(bytes, done);
    call(make, vec![from_ref(name), from_ref(next)])
}

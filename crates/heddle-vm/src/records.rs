//! `equals`, `hashCode` and `toString` of records: what
//! `java.lang.runtime.ObjectMethods.bootstrap` links for a call site, as natives
//! of the VM.
//!
//! Components are compared, hashed and printed in the order of JDK 17's method
//! handles (`equals` goes from the last component to the first), objects through
//! the same methods of `java.util.Objects`, so that calls into the program and
//! their stack traces are the same. Call sites that javac would not write are
//! left to the JDK.

use crate::class::{Basic, ClassPtr, FieldRef, MethodFlags, MethodPtr, access};
use crate::heap::Ref;
use crate::linkage::Site;
use crate::linkage::unless_it_throws;
use crate::member::kind;
use crate::native::{Frame, NativeFn, Res, call, from_bool, from_int, from_ref};
use crate::resolve::find_field;
use crate::strings::decode_mutf8;
use crate::text::Text;
use crate::vm::Vm;
use heddle_classfile::Constant;

const BOOTSTRAP: &[u8] = b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/TypeDescriptor;Ljava/lang/Class;Ljava/lang/String;[Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;";

/// A record class as its methods see it.
pub struct Shape {
    class: ClassPtr,
    components: Vec<Component>,
    /// Text before the first value.
    open: Vec<u16>,
    /// `Objects.equals`, `hashCode` and `toString`, `Float.toString`, `Double.toString`.
    equals: MethodPtr,
    hash: MethodPtr,
    string: MethodPtr,
    float: MethodPtr,
    double: MethodPtr,
}

struct Component {
    offset: u64,
    basic: Basic,
    /// `name=`
    label: Vec<u16>,
}

impl Vm {
    /// Links a method of a record; `None` where the general path has to do it.
    pub fn link_record(
        &mut self,
        class: ClassPtr,
        index: u16,
        site: Site,
    ) -> Res<Option<MethodPtr>> {
        unless_it_throws(self.try_record(class, index, site))
    }

    fn try_record(&mut self, class: ClassPtr, index: u16, site: Site) -> Res<Option<MethodPtr>> {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let (bootstrap, name, desc) = file.pool.dynamic(index);
        let bootstrap = &file.bootstrap_methods[bootstrap as usize];
        let owner = "java/lang/runtime/ObjectMethods";
        if class.hidden
            || !self.is_bootstrap(class, bootstrap.handle, owner, "bootstrap", BOOTSTRAP)?
        {
            return Ok(None);
        }
        let receiver = self.descriptor(class);
        let wanted = |rest: &[u8]| [b"(", &receiver[..], rest].concat();
        let function: NativeFn = match name {
            b"equals" if desc == wanted(b"Ljava/lang/Object;)Z") => equals,
            b"hashCode" if desc == wanted(b")I") => hash_code,
            b"toString" if desc == wanted(b")Ljava/lang/String;") => to_string,
            _ => return Ok(None),
        };
        if let Some(&found) = self.adapters.get(&site) {
            return Ok(Some(found));
        }
        let Some(shape) = self.record_shape(class, &bootstrap.args)? else {
            return Ok(None);
        };
        let (name, desc) = (self.symbol("<record>"), self.symbols.intern(desc));
        let flags = MethodFlags {
            hidden: true,
            vm_stub: true,
            ..MethodFlags::default()
        };
        let access = access::STATIC | access::NATIVE;
        let method = self.make_method(self.known.object, name, desc, access, u16::MAX, None, flags);
        method.native.set(Some(function));
        self.records.insert(method.id, Box::leak(Box::new(shape)));
        self.adapters.insert(site, method);
        Ok(Some(method))
    }

    fn record_shape(&mut self, class: ClassPtr, arguments: &[u16]) -> Res<Option<Shape>> {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let [record, names, getters @ ..] = arguments else {
            return Ok(None);
        };
        let Constant::Class { .. } = file.pool.get(*record) else {
            return Ok(None);
        };
        let Constant::String { utf8 } = file.pool.get(*names) else {
            return Ok(None);
        };
        if self.resolve_class(class, *record)? != class {
            return Ok(None);
        }
        let names = decode_mutf8(file.pool.utf8(utf8));
        let names: Vec<&[u16]> = if names.is_empty() {
            Vec::new()
        } else {
            names.split(|&u| u == b';' as u16).collect()
        };
        let Some(simple) = self.simple_name(class) else {
            return Ok(None);
        };
        let percent = b'%' as u16;
        if names.len() != getters.len()
            || simple.contains(&percent)
            || names.iter().any(|n| n.is_empty() || n.contains(&percent))
        {
            return Ok(None);
        }
        let mut components = Vec::new();
        for (&getter, name) in getters.iter().zip(names) {
            let Some(found) = self.getter(class, getter)? else {
                return Ok(None);
            };
            let field = found.field();
            let label = name.iter().copied().chain([b'=' as u16]).collect();
            components.push(Component {
                offset: field.offset as u64,
                basic: field.basic,
                label,
            });
        }
        let objects = self.load_boot("java/util/Objects")?;
        let float = self.load_boot("java/lang/Float")?;
        let double = self.load_boot("java/lang/Double")?;
        for class in [objects, float, double] {
            self.ensure_initialized(class)?;
        }
        let mut open = simple;
        open.push(b'[' as u16);
        Ok(Some(Shape {
            class,
            components,
            open,
            equals: self.method(objects, "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z"),
            hash: self.method(objects, "hashCode", "(Ljava/lang/Object;)I"),
            string: self.method(
                objects,
                "toString",
                "(Ljava/lang/Object;)Ljava/lang/String;",
            ),
            float: self.method(float, "toString", "(F)Ljava/lang/String;"),
            double: self.method(double, "toString", "(D)Ljava/lang/String;"),
        }))
    }

    /// The instance field of the class itself that a handle constant reads.
    fn getter(&mut self, class: ClassPtr, handle: u16) -> Res<Option<FieldRef>> {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let Constant::MethodHandle {
            kind: reference_kind,
            reference,
        } = file.pool.get(handle)
        else {
            return Ok(None);
        };
        if reference_kind as u32 != kind::GET_FIELD {
            return Ok(None);
        }
        let member = self.member_ref(class, reference);
        if self.resolve_class(class, member.class)? != class {
            return Ok(None);
        }
        self.visible(class, self.symbols.bytes(member.desc))?;
        let found = find_field(class, member.name, member.desc);
        Ok(found.filter(|f| f.class == class && f.field().access & access::STATIC == 0))
    }

    /// `Class.getSimpleName` of a class that is not anonymous.
    fn simple_name(&self, class: ClassPtr) -> Option<Vec<u16>> {
        let file = class.file.as_ref()?;
        let own = file.name();
        let inner = file
            .inner_classes
            .iter()
            .find(|i| file.pool.class_name(i.inner) == own);
        let name = match inner {
            Some(inner) if inner.name == 0 => return None,
            Some(inner) => file.pool.utf8(inner.name),
            None => own.rsplit(|&b| b == b'/').next().unwrap_or(own),
        };
        Some(decode_mutf8(name))
    }
}

fn shape(vm: &Vm, f: Frame) -> &'static Shape {
    vm.records[&f.method().id]
}

/// The phase is the number of components that are equal so far, counted from the end.
fn equals(vm: &mut Vm, f: Frame) -> Res<u64> {
    let shape = shape(vm, f);
    let (own, other) = (f.reference(0), f.reference(1));
    let mut done = f.phase() as usize;
    if done == 0 {
        if own == other {
            return Ok(from_bool(true));
        }
        if !vm.is_instance(other, shape.class) {
            return Ok(from_bool(false));
        }
        if own.is_null() {
            return crate::native::throw_null();
        }
    } else if f.result() as u32 == 0 {
        return Ok(from_bool(false));
    }
    while done < shape.components.len() {
        let c = &shape.components[shape.components.len() - 1 - done];
        done += 1;
        let a = vm.load_basic(own, c.offset, c.basic);
        let b = vm.load_basic(other, c.offset, c.basic);
        let same = match c.basic {
            Basic::Reference if a == b => true,
            Basic::Reference if a == 0 => false,
            Basic::Reference => {
                f.set_phase(done as u32);
                return call(shape.equals, vec![a, b]);
            }
            Basic::Float => float_bits(a) == float_bits(b),
            Basic::Double => double_bits(a) == double_bits(b),
            _ => a == b,
        };
        if !same {
            return Ok(from_bool(false));
        }
    }
    Ok(from_bool(true))
}

/// The phase is the number of components done, slot 0 the hash so far.
fn hash_code(vm: &mut Vm, f: Frame) -> Res<u64> {
    let shape = shape(vm, f);
    let own = f.reference(0);
    if own.is_null() {
        return crate::native::throw_null();
    }
    let mut done = f.phase() as usize;
    let combine = |hash: i32| {
        f.set_slot(
            0,
            from_int((f.slot(0) as i32).wrapping_mul(31).wrapping_add(hash)),
        );
    };
    if done > 0 {
        combine(f.result() as i32);
    }
    while let Some(c) = shape.components.get(done) {
        done += 1;
        let value = vm.load_basic(own, c.offset, c.basic);
        combine(match c.basic {
            Basic::Reference if value == 0 => 0,
            Basic::Reference => {
                f.set_phase(done as u32);
                return call(shape.hash, vec![value]);
            }
            Basic::Boolean => {
                if value != 0 {
                    1231
                } else {
                    1237
                }
            }
            Basic::Long => (value ^ value >> 32) as i32,
            Basic::Float => float_bits(value) as i32,
            Basic::Double => {
                let bits = double_bits(value);
                (bits ^ bits >> 32) as i32
            }
            _ => value as i32,
        });
    }
    Ok(f.slot(0))
}

/// The phase is the number of components turned into strings; slot 0 holds an array with
/// those that are objects now.
fn to_string(vm: &mut Vm, f: Frame) -> Res<u64> {
    let shape = shape(vm, f);
    let own = f.reference(0);
    if own.is_null() {
        return crate::native::throw_null();
    }
    let mut done = f.phase() as usize;
    if done > 0 {
        vm.heap
            .set_element(f.slot_ref(0), done as u32 - 1, f.result_ref());
    }
    while let Some(c) = shape.components.get(done) {
        done += 1;
        let method = match c.basic {
            Basic::Reference => shape.string,
            Basic::Float => shape.float,
            Basic::Double => shape.double,
            _ => continue,
        };
        let value = vm.load_basic(own, c.offset, c.basic);
        if f.slot(0) == 0 {
            let room = vec![Ref::NULL; shape.components.len()];
            let strings = vm.new_ref_array(vm.known.object, &room)?;
            f.set_slot(0, from_ref(strings));
        }
        if c.basic == Basic::Reference {
            let object = Ref(value as u32);
            if object.is_null() || vm.class_of(object) == vm.known.string {
                vm.heap.set_element(f.slot_ref(0), done as u32 - 1, object);
                continue;
            }
        }
        f.set_phase(done as u32);
        let mut args = vec![value];
        args.resize(method.arg_slots as usize, 0);
        return call(method, args);
    }
    let mut text = Text::with_capacity(64);
    text.units(&shape.open);
    for (i, c) in shape.components.iter().enumerate() {
        if i > 0 {
            text.latin(b", ");
        }
        text.units(&c.label);
        match c.basic {
            Basic::Reference | Basic::Float | Basic::Double => {
                text.string(vm, vm.heap.element(f.slot_ref(0), i as u32));
            }
            _ => text.primitive(c.basic, vm.load_basic(own, c.offset, c.basic)),
        }
    }
    text.latin(b"]");
    Ok(from_ref(text.finish(vm)?))
}

/// `Float.floatToIntBits`: one NaN.
fn float_bits(raw: u64) -> u32 {
    let value = f32::from_bits(raw as u32);
    if value.is_nan() {
        0x7fc0_0000
    } else {
        raw as u32
    }
}

/// `Double.doubleToLongBits`: one NaN.
fn double_bits(raw: u64) -> u64 {
    let value = f64::from_bits(raw);
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        raw
    }
}

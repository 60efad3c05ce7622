//! `java.lang.Class`: nests, enclosing and inner classes, records, sealed types.
//!
//! Classes that only reflection asks for (nest members, permitted subclasses) are
//! loaded with a catching call: one that cannot be loaded is left out, as HotSpot
//! does.

use crate::class::{ClassPtr, access};
use crate::heap::Ref;
use crate::native::{Frame, Res, Table, call_catching, from_bool, from_ref, throw};
use crate::natives::class::receiver;
use crate::symbol::Symbol;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "java/lang/Class",
    &[
        ("getEnclosingMethod0()[Ljava/lang/Object;", enclosing_method),
        ("getDeclaringClass0()Ljava/lang/Class;", declaring_class),
        (
            "getSimpleBinaryName0()Ljava/lang/String;",
            simple_binary_name,
        ),
        ("getDeclaredClasses0()[Ljava/lang/Class;", declared_classes),
        ("getNestHost0()Ljava/lang/Class;", nest_host),
        ("getNestMembers0()[Ljava/lang/Class;", nest_members),
        ("isRecord0()Z", is_record),
        (
            "getRecordComponents0()[Ljava/lang/reflect/RecordComponent;",
            record_components,
        ),
        (
            "getPermittedSubclasses0()[Ljava/lang/Class;",
            permitted_subclasses,
        ),
    ],
)];

fn enclosing_method(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let Some(file) = class.file.as_ref() else {
        return Ok(0);
    };
    let Some((outer, method)) = file.enclosing_method else {
        return Ok(0);
    };
    let outer = vm.resolve_class(class, outer)?;
    let mut items = [outer.mirror.get(), Ref::NULL, Ref::NULL];
    if method != 0 {
        let (name, desc) = file.pool.name_and_type(method);
        let (name, desc) = (vm.symbols.intern(name), vm.symbols.intern(desc));
        items[1] = vm.intern_symbol(name)?;
        items[2] = vm.intern_symbol(desc)?;
    }
    Ok(from_ref(vm.new_ref_array(vm.known.object, &items)?))
}

fn declaring_class(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let Some(file) = class.file.as_ref() else {
        return Ok(0);
    };
    let own = file.name();
    let entry = file
        .inner_classes
        .iter()
        .find(|i| file.pool.class_name(i.inner) == own);
    let Some(entry) = entry.filter(|i| i.outer != 0) else {
        return Ok(0);
    };
    let outer = vm.resolve_class(class, entry.outer)?;
    check_inner(vm, outer, class)?;
    Ok(from_ref(outer.mirror.get()))
}

/// Both classes must agree that one is a member of the other.
fn check_inner(vm: &mut Vm, outer: ClassPtr, inner: ClassPtr) -> Res<()> {
    let member = outer.file.as_ref().and_then(|file| {
        // A hidden class is not the one that the outer class means.
        let inner_name = vm.symbols.bytes(inner.name);
        file.inner_classes.iter().find(|i| {
            file.pool.class_name(i.inner) == inner_name
                && i.outer != 0
                && file.pool.class_name(i.outer) == file.name()
        })
    });
    // Nor is one of another loader.
    if let Some(member) = member
        && vm.resolve_class(outer, member.inner)? == inner
    {
        return Ok(());
    }
    disagree(vm, outer, inner)
}

fn disagree(vm: &Vm, outer: ClassPtr, inner: ClassPtr) -> Res<()> {
    let message = format!(
        "{} and {} disagree on InnerClasses attribute",
        vm.external_name(outer),
        vm.external_name(inner)
    );
    throw("java/lang/IncompatibleClassChangeError", message)
}

fn simple_binary_name(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let Some(file) = class.file.as_ref() else {
        return Ok(0);
    };
    let own = file.name();
    let entry = file
        .inner_classes
        .iter()
        .find(|i| file.pool.class_name(i.inner) == own);
    let name = entry.map(|i| i.name).filter(|&n| n != 0);
    Ok(from_ref(vm.pool_string(class, name)?))
}

fn declared_classes(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let mut found = Vec::new();
    if let Some(file) = class.file.as_ref() {
        let own = file.name();
        for entry in &file.inner_classes {
            if entry.outer != 0 && file.pool.class_name(entry.outer) == own {
                let inner = vm.resolve_class(class, entry.inner)?;
                check_inner_back(vm, class, inner)?;
                found.push(inner);
            }
        }
    }
    Ok(from_ref(vm.class_array(&found)?))
}

/// The inner class must name the outer one, too.
fn check_inner_back(vm: &mut Vm, outer: ClassPtr, inner: ClassPtr) -> Res<()> {
    let agreed = inner.file.as_ref().is_some_and(|file| {
        file.inner_classes.iter().any(|i| {
            file.pool.class_name(i.inner) == file.name()
                && i.outer != 0
                && Some(file.pool.class_name(i.outer)) == outer.file.as_ref().map(|f| f.name())
        })
    });
    if agreed {
        return Ok(());
    }
    disagree(vm, outer, inner)
}

fn nest_host(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    if !class.is_instance_kind() {
        return Ok(f.raw(0));
    }
    // The host is found by name when it is loaded; load it first where it is not.
    if class.nest_host.get().is_none()
        && let Some(file) = class.file.as_ref()
        && let Some(index) = file.nest_host
    {
        let name = vm.symbols.intern(file.pool.class_name(index));
        if f.phase() == 0 && !vm.dictionary.contains_key(&(class.loader, name)) {
            f.set_phase(1);
            return try_load(vm, class.loader, name);
        }
        f.take_exception();
    }
    Ok(from_ref(vm.nest_host_of(class).mirror.get()))
}

/// Asks a loader for a class; what goes wrong is left to the caller to look at.
fn try_load<T>(vm: &mut Vm, loader: Ref, name: Symbol) -> Res<T> {
    let load = vm.stubs().load;
    call_catching(load, vec![from_ref(loader), name.0 as u64, 1])
}

/// Loads the classes of a list one by one; those that cannot be loaded are skipped.
/// Phase n: the first n have been asked for.
fn load_all(vm: &mut Vm, f: Frame, class: ClassPtr, indexes: &[u16]) -> Res<Vec<ClassPtr>> {
    let file = class
        .file
        .as_ref()
        .expect("heddle internal error: class without file");
    let mut found = Vec::new();
    f.take_exception();
    for (i, &index) in indexes.iter().enumerate() {
        let name = vm.symbols.intern(file.pool.class_name(index));
        if let Some(&loaded) = vm.dictionary.get(&(class.loader, name)) {
            found.push(loaded);
            continue;
        }
        if (i as u32) < f.phase() {
            continue;
        }
        if class.loader.is_null() {
            if let Some(loaded) = vm.find_boot(name)? {
                found.push(loaded);
            }
            continue;
        }
        f.set_phase(i as u32 + 1);
        return try_load(vm, class.loader, name);
    }
    Ok(found)
}

fn nest_members(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    if !class.is_instance_kind() {
        return Ok(from_ref(vm.class_array(&[class])?));
    }
    let host = vm.nest_host_of(class);
    let file = host
        .file
        .as_ref()
        .expect("heddle internal error: class without file");
    let members = load_all(vm, f, host, &file.nest_members)?;
    let mut all = vec![host];
    for member in members {
        if vm.nest_host_of(member) == host {
            all.push(member);
        }
    }
    // A hidden nestmate is not in the attribute; it comes last.
    if !all.contains(&class) {
        all.push(class);
    }
    Ok(from_ref(vm.class_array(&all)?))
}

fn is_record(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let record = class.file.as_ref().is_some_and(|f| f.record.is_some());
    let parent = class
        .parent
        .is_some_and(|p| vm.symbols.bytes(p.name) == b"java/lang/Record");
    Ok(from_bool(
        record && parent && class.access & access::FINAL != 0,
    ))
}

fn record_components(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let kind = vm.load_boot("java/lang/reflect/RecordComponent")?;
    let components = class.file.as_ref().and_then(|f| f.record.as_ref());
    let Some(components) = components else {
        return Ok(from_ref(vm.new_ref_array(kind, &[])?));
    };
    let file = class
        .file
        .as_ref()
        .expect("heddle internal error: class without file");
    vm.link(class)?;
    vm.ensure_initialized(kind)?;
    vm.ensure_initialized(vm.known.reflect_method)?;
    for component in components {
        vm.load_descriptor(class.loader, file.pool.utf8(component.desc))?;
    }
    let mut objects = Vec::new();
    for component in components {
        let ty = vm.load_descriptor(class.loader, file.pool.utf8(component.desc))?;
        let name = vm.symbols.intern(file.pool.utf8(component.name));
        let desc = vm
            .symbols
            .intern(&[b"()", file.pool.utf8(component.desc)].concat());
        let object = vm.new_object(kind)?;
        vm.set_field_ref(object, "clazz", class.mirror.get());
        let text = vm.intern_symbol(name)?;
        vm.set_field_ref(object, "name", text);
        vm.set_field_ref(object, "type", ty.mirror.get());
        if let Some(accessor) = class.declared(name, desc).filter(|m| !m.is_static()) {
            let accessor = vm.new_executable(accessor)?;
            vm.set_field_ref(object, "accessor", accessor);
        }
        let signature = vm.pool_string(class, component.signature)?;
        vm.set_field_ref(object, "signature", signature);
        let annotations = vm.span_array(class, component.annotations.visible)?;
        vm.set_field_ref(object, "annotations", annotations);
        let types = vm.span_array(class, component.annotations.visible_types)?;
        vm.set_field_ref(object, "typeAnnotations", types);
        objects.push(object);
    }
    Ok(from_ref(vm.new_ref_array(kind, &objects)?))
}

fn permitted_subclasses(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let permitted = class
        .file
        .as_ref()
        .and_then(|f| f.permitted_subclasses.as_ref());
    let Some(permitted) = permitted.filter(|p| !p.is_empty()) else {
        return Ok(0);
    };
    let found = load_all(vm, f, class, permitted)?;
    Ok(from_ref(vm.class_array(&found)?))
}

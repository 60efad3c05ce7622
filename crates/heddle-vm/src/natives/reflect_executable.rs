//! `java.lang.reflect.Executable` and `Field`: parameters and type annotations.

use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_ref, throw};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    (
        "java/lang/reflect/Executable",
        &[
            ("getParameters0()[Ljava/lang/reflect/Parameter;", parameters),
            ("getTypeAnnotationBytes0()[B", executable_type_annotations),
        ],
    ),
    (
        "java/lang/reflect/Field",
        &[("getTypeAnnotationBytes0()[B", field_type_annotations)],
    ),
];

fn parameters(vm: &mut Vm, f: Frame) -> Res<u64> {
    let executable = f.reference(0);
    let method = vm.reflected_method(executable);
    let Some(list) = method.info().and_then(|m| m.method_parameters.as_ref()) else {
        return Ok(0);
    };
    let file = method
        .class
        .file
        .as_ref()
        .expect("heddle internal error: class without file");
    if list
        .iter()
        .any(|&(name, _)| name != 0 && file.pool.try_utf8(name).is_none())
    {
        return throw(
            "java/lang/IllegalArgumentException",
            "Wrong type at constant pool index",
        );
    }
    if list.len() != method.params.len() {
        return throw(
            "java/lang/reflect/MalformedParametersException",
            "Wrong number of parameters in MethodParameters attribute",
        );
    }
    let kind = vm.load_boot("java/lang/reflect/Parameter")?;
    vm.ensure_initialized(kind)?;
    let mut objects = Vec::with_capacity(list.len());
    for (index, &(name, flags)) in list.iter().enumerate() {
        let name = if name == 0 {
            Ref::NULL
        } else {
            vm.pool_string(method.class, Some(name))?
        };
        let object = vm.new_object(kind)?;
        vm.set_field_ref(object, "name", name);
        vm.set_field_int(object, "modifiers", flags as i32);
        vm.set_field_ref(object, "executable", executable);
        vm.set_field_int(object, "index", index as i32);
        objects.push(object);
    }
    Ok(from_ref(vm.new_ref_array(kind, &objects)?))
}

fn executable_type_annotations(vm: &mut Vm, f: Frame) -> Res<u64> {
    let method = vm.reflected_method(f.reference(0));
    let span = method.info().and_then(|m| m.annotations.visible_types);
    Ok(from_ref(vm.span_array(method.class, span)?))
}

fn field_type_annotations(vm: &mut Vm, f: Frame) -> Res<u64> {
    let field = vm.reflected_field(f.reference(0));
    let index = field.field().index as usize;
    let info = field
        .class
        .file
        .as_ref()
        .and_then(|file| file.fields.get(index));
    let span = info.and_then(|i| i.annotations.visible_types);
    Ok(from_ref(vm.span_array(field.class, span)?))
}

//! Declared members of a class as reflection objects: `Class.getDeclaredFields0`
//! and its kin, and the makers of `Field`, `Method` and `Constructor` objects.
//!
//! The order is that of the class file. (HotSpot sorts methods by the addresses of
//! their names, an order that no program can count on.) The `slot` of a member is
//! its index in the VM's list of the class.

use crate::class::{ClassPtr, FieldRef, MethodPtr, access};
use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_ref};
use crate::natives::class::receiver;
use crate::vm::Vm;
use heddle_classfile::descriptor::{MethodDescriptor, split_type};

pub const TABLE: &[Table] = &[(
    "java/lang/Class",
    &[
        (
            "getDeclaredFields0(Z)[Ljava/lang/reflect/Field;",
            declared_fields,
        ),
        (
            "getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;",
            declared_methods,
        ),
        (
            "getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;",
            declared_constructors,
        ),
    ],
)];

/// Flags that reflection shows of a method.
const METHOD_FLAGS: u16 = 0x1fff;
/// Flags that reflection shows of a field.
const FIELD_FLAGS: u16 = 0x50df;

/// The types that a reflection object of a method mentions.
struct Types {
    params: Vec<ClassPtr>,
    returns: ClassPtr,
    exceptions: Vec<ClassPtr>,
}

impl Vm {
    /// A java.lang.reflect.Field.
    pub fn new_field(&mut self, field: FieldRef) -> Res<Ref> {
        let class = field.class;
        let info = field.field();
        let desc = self.symbols.bytes(info.desc);
        let ty = self.load_descriptor(class.loader, desc)?;
        self.ensure_initialized(self.known.reflect_field)?;
        let object = self.new_object(self.known.reflect_field)?;
        self.set_field_ref(object, "clazz", class.mirror.get());
        self.set_field_int(object, "slot", field.index as i32);
        let name = self.intern_symbol(info.name)?;
        self.set_field_ref(object, "name", name);
        self.set_field_ref(object, "type", ty.mirror.get());
        self.set_field_int(object, "modifiers", (info.access & FIELD_FLAGS) as i32);
        let record = class.file.as_ref().is_some_and(|f| f.record.is_some());
        let trusted = info.access & access::FINAL != 0
            && (info.access & access::STATIC != 0 || class.hidden || record);
        self.set_field_bool(object, "trustedFinal", trusted);
        let Some(file) = class
            .file
            .as_ref()
            .and_then(|f| f.fields.get(info.index as usize))
        else {
            return Ok(object);
        };
        let signature = self.pool_string(class, file.signature)?;
        self.set_field_ref(object, "signature", signature);
        let annotations = self.span_array(class, file.annotations.visible)?;
        self.set_field_ref(object, "annotations", annotations);
        Ok(object)
    }

    /// A java.lang.reflect.Method, or a Constructor for `<init>`.
    pub fn new_executable(&mut self, method: MethodPtr) -> Res<Ref> {
        let types = self.executable_types(method)?;
        let constructor = self.symbols.bytes(method.name) == b"<init>";
        let kind = if constructor {
            self.known.reflect_constructor
        } else {
            self.known.reflect_method
        };
        self.ensure_initialized(kind)?;
        let class = method.class;
        let object = self.new_object(kind)?;
        self.set_field_ref(object, "clazz", class.mirror.get());
        self.set_field_int(object, "slot", method.index as i32);
        if !constructor {
            let name = self.intern_symbol(method.name)?;
            self.set_field_ref(object, "name", name);
            self.set_field_ref(object, "returnType", types.returns.mirror.get());
        }
        let params = self.class_array(&types.params)?;
        self.set_field_ref(object, "parameterTypes", params);
        let exceptions = self.class_array(&types.exceptions)?;
        self.set_field_ref(object, "exceptionTypes", exceptions);
        // As the class file has it: the VM's own flags may say native for replaced code.
        let flags = method.info().map_or(method.access, |info| info.access);
        self.set_field_int(object, "modifiers", (flags & METHOD_FLAGS) as i32);
        let Some(info) = method.info() else {
            return Ok(object);
        };
        let signature = self.pool_string(class, info.signature)?;
        self.set_field_ref(object, "signature", signature);
        let annotations = self.span_array(class, info.annotations.visible)?;
        self.set_field_ref(object, "annotations", annotations);
        let parameters = self.span_array(class, info.parameter_annotations)?;
        self.set_field_ref(object, "parameterAnnotations", parameters);
        if !constructor {
            let default = self.span_array(class, info.annotation_default)?;
            self.set_field_ref(object, "annotationDefault", default);
        }
        Ok(object)
    }

    /// The method that a Method or Constructor object stands for.
    pub fn reflected_method(&mut self, object: Ref) -> MethodPtr {
        let class = self.field_ref(object, "clazz");
        let slot = self.field_int(object, "slot");
        self.mirrored(class).methods()[slot as usize]
    }

    /// The field that a Field object stands for.
    pub fn reflected_field(&mut self, object: Ref) -> FieldRef {
        let class = self.field_ref(object, "clazz");
        let index = self.field_int(object, "slot") as u16;
        FieldRef {
            class: self.mirrored(class),
            index,
        }
    }

    fn executable_types(&mut self, method: MethodPtr) -> Res<Types> {
        let loader = method.class.loader;
        let desc = self.symbols.bytes(method.desc);
        let parsed = MethodDescriptor::parse(desc).expect("heddle internal error: descriptor");
        let mut params = Vec::new();
        let mut rest = &desc[1..];
        for _ in parsed.parameters() {
            let (_, after) = split_type(rest).expect("heddle internal error: descriptor");
            params.push(self.load_descriptor(loader, &rest[..rest.len() - after.len()])?);
            rest = after;
        }
        let returns = self.load_descriptor(loader, &rest[1..])?;
        let mut exceptions = Vec::new();
        if let Some(info) = method.info() {
            for &index in &info.exceptions {
                exceptions.push(self.resolve_class(method.class, index)?);
            }
        }
        Ok(Types {
            params,
            returns,
            exceptions,
        })
    }

    fn executables(&mut self, f: Frame, kind: ClassPtr, which: impl Fn(&[u8]) -> bool) -> Res<u64> {
        let class = receiver(self, f);
        let public_only = f.bool(1);
        self.link(class)?;
        let chosen: Vec<MethodPtr> = class
            .methods()
            .iter()
            .copied()
            .filter(|m| m.index != u16::MAX && which(self.symbols.bytes(m.name)))
            .filter(|m| !public_only || m.access & access::PUBLIC != 0)
            .collect();
        // All types first: loading them may run Java code and start this over.
        for method in &chosen {
            self.executable_types(method)?;
        }
        self.ensure_initialized(kind)?;
        let mut objects = Vec::with_capacity(chosen.len());
        for method in chosen {
            objects.push(self.new_executable(method)?);
        }
        Ok(from_ref(self.new_ref_array(kind, &objects)?))
    }
}

fn declared_fields(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let public_only = f.bool(1);
    vm.link(class)?;
    let chosen: Vec<FieldRef> = (0..class.fields.len())
        .map(|index| FieldRef {
            class,
            index: index as u16,
        })
        .filter(|f| f.field().index != u16::MAX)
        .filter(|f| !public_only || f.field().access & access::PUBLIC != 0)
        .collect();
    for field in &chosen {
        let desc = vm.symbols.bytes(field.field().desc);
        vm.load_descriptor(class.loader, desc)?;
    }
    let kind = vm.known.reflect_field;
    vm.ensure_initialized(kind)?;
    let mut objects = Vec::with_capacity(chosen.len());
    for field in chosen {
        objects.push(vm.new_field(field)?);
    }
    Ok(from_ref(vm.new_ref_array(kind, &objects)?))
}

fn declared_methods(vm: &mut Vm, f: Frame) -> Res<u64> {
    vm.executables(f, vm.known.reflect_method, |name| name[0] != b'<')
}

fn declared_constructors(vm: &mut Vm, f: Frame) -> Res<u64> {
    vm.executables(f, vm.known.reflect_constructor, |name| name == b"<init>")
}

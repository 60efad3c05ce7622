//! `Throwable.fillInStackTrace` and `StackTraceElement`: where an exception was made.
//!
//! The backtrace is a `long[]`: word 0 is 1 if the innermost frame was a hidden one
//! (then no helpful message can be given), every further word is the method's id
//! (high half) and the bytecode index (low half, -1 in natives) of a frame,
//! innermost first.

use crate::class::{Basic, MethodPtr};
use crate::heap::{ELEMENTS, Ref};
use crate::native::{Frame, Res, Table, from_ref, throw, throw_null};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    (
        "java/lang/Throwable",
        &[("fillInStackTrace(I)Ljava/lang/Throwable;", fill_in)],
    ),
    (
        "java/lang/StackTraceElement",
        &[
            (
                "initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
                init_elements,
            ),
            (
                "initStackTraceElement(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V",
                init_element,
            ),
        ],
    ),
];

/// Frames that a backtrace keeps at most (HotSpot's `MaxJavaStackTraceDepth`).
const MAX_DEPTH: usize = 1024;

impl Vm {
    /// The frames in a backtrace, innermost first, and whether hidden ones came before.
    pub fn backtrace(&self, throwable: Ref) -> Option<(bool, Vec<(MethodPtr, i32)>)> {
        let trace = self.heap.get_ref(throwable, self.known.throwable_backtrace);
        if trace.is_null() {
            return None;
        }
        let word = |i: u32| self.heap.get::<u64>(trace, ELEMENTS + i as u64 * 8);
        let frames = (1..self.heap.length(trace)).map(|i| {
            let packed = word(i);
            (self.methods[(packed >> 32) as usize], packed as u32 as i32)
        });
        Some((word(0) != 0, frames.collect()))
    }

    /// Fills a StackTraceElement with a place in a method.
    pub fn fill_element(&mut self, element: Ref, method: MethodPtr, bci: i32) -> Res<()> {
        let class = method.class;
        self.set_field_ref(element, "declaringClassObject", class.mirror.get());
        let units: Vec<u16> = self.external_name(class).encode_utf16().collect();
        let name = self.intern_utf16(&units)?;
        self.set_field_ref(element, "declaringClass", name);
        if !class.loader.is_null() {
            let name = self.field_ref(class.loader, "name");
            self.set_field_ref(element, "classLoaderName", name);
        }
        let module = class.module.get();
        if !module.is_null() {
            let name = self.field_ref(module, "name");
            if !name.is_null() {
                self.set_field_ref(element, "moduleName", name);
                let version = self.module_version(module);
                self.set_field_ref(element, "moduleVersion", version);
            }
        }
        let name = self.intern_symbol(method.name)?;
        self.set_field_ref(element, "methodName", name);
        let source = class.file.as_ref().and_then(|f| f.source_file);
        let source = self.pool_string(class, source)?;
        self.set_field_ref(element, "fileName", source);
        let line = if method.is_native() {
            -2
        } else {
            self.line(method, bci).map_or(-1, |l| l as i32)
        };
        self.set_field_int(element, "lineNumber", line);
        Ok(())
    }

    fn module_version(&mut self, module: Ref) -> Ref {
        let descriptor = self.field_ref(module, "descriptor");
        if descriptor.is_null() {
            return Ref::NULL;
        }
        let version = self.field_ref(descriptor, "version");
        if version.is_null() {
            return Ref::NULL;
        }
        self.field_ref(version, "version")
    }
}

fn fill_in(vm: &mut Vm, f: Frame) -> Res<u64> {
    let throwable = f.reference(0);
    let thrown = vm.class_of(throwable);
    let filler = vm.symbols.intern(b"fillInStackTrace");
    let init = vm.symbols.intern(b"<init>");
    let current = vm.current;
    let mut words: Vec<u64> = vec![0];
    let (mut filling, mut constructing) = (true, true);
    for frame in vm.thread(current).frames() {
        let method = frame.method;
        if method.flags.vm_stub {
            continue;
        }
        // The calls that make the exception are no part of its story.
        if filling {
            if method.name == filler && thrown.is_subtype_of(method.class) {
                continue;
            }
            filling = false;
        }
        if constructing {
            if method.name == init && thrown.is_subtype_of(method.class) {
                continue;
            }
            constructing = false;
        }
        if method.flags.hidden {
            if words.len() == 1 {
                words[0] = 1;
            }
            continue;
        }
        words.push((method.id as u64) << 32 | frame.bci() as u32 as u64);
        if words.len() > MAX_DEPTH {
            break;
        }
    }
    let array = vm.new_primitive_array(Basic::Long, words.len() as u32)?;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
    vm.heap.write_bytes(array, ELEMENTS, &bytes);
    let k = &vm.known;
    let (backtrace, depth, trace) = (k.throwable_backtrace, k.throwable_depth, k.throwable_trace);
    vm.heap.put_ref(throwable, backtrace, array);
    vm.heap.put(throwable, depth, words.len() as i32 - 1);
    vm.heap.put_ref(throwable, trace, Ref::NULL);
    Ok(from_ref(throwable))
}

fn init_elements(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (elements, throwable) = (f.reference(0), f.reference(1));
    if elements.is_null() || throwable.is_null() {
        return throw_null();
    }
    let frames = vm
        .backtrace(throwable)
        .map_or(Vec::new(), |(_, frames)| frames);
    if vm.heap.length(elements) as usize != frames.len() {
        return throw("java/lang/IndexOutOfBoundsException", "");
    }
    for (i, (method, bci)) in frames.into_iter().enumerate() {
        let element = vm.heap.element(elements, i as u32);
        if element.is_null() {
            return throw_null();
        }
        vm.fill_element(element, method, bci)?;
    }
    Ok(0)
}

fn init_element(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (element, info) = (f.reference(0), f.reference(1));
    if element.is_null() || info.is_null() {
        return throw_null();
    }
    let id = vm.field_long(info, "vmframe") as usize;
    let bci = vm.field_int(info, "bci");
    let method = vm.methods[id];
    vm.fill_element(element, method, bci)?;
    Ok(0)
}

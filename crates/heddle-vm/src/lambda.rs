//! Lambda expressions and method references without the JDK's generators: what
//! `LambdaMetafactory.metafactory` does for a call site, done by the VM.
//!
//! The class behind the lambda is the one that the JDK's inner-class metafactory
//! of JDK 17 would spin: same name pattern, members, modifiers, conversions; a
//! hidden nestmate of the class that contains the lambda. A lambda without
//! captured values is one object; for the others the VM makes a factory method
//! in register code that allocates and fills in the captured values.
//!
//! Whatever is unusual (serializable lambdas, `super::method`, protected members
//! of other packages, types that do not fit, anything that fails to resolve) is
//! left to the JDK: then [`Vm::link_lambda`] answers `None` and has changed
//! nothing that Java code could see.

use crate::class::{Basic, Class, ClassKind, ClassPtr, InitState, MethodFlags, MethodPtr, access};
use crate::heap::Ref;
use crate::isa::{Body, FRAME_HEADER, Op, insn};
use crate::linkage::unless_it_throws;
use crate::load::Definition;
use crate::member::{Query, kind};
use crate::native::Res;
use crate::spin::{Code, Spin, op, slots, split};
use crate::vm::Vm;
use heddle_classfile::{ClassBytes, Constant};
use heddle_model::{MethodId, Site};

const METAFACTORY: &[u8] = b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;";
const OBJECT: &[u8] = b"java/lang/Object";
/// Class-file version of the classes that the JDK spins.
const MAJOR: u16 = 59;

/// A method type: parameters and result, as classes and as descriptors.
struct Types {
    params: Vec<ClassPtr>,
    returns: ClassPtr,
    descs: Vec<&'static [u8]>,
    return_desc: &'static [u8],
}

/// The method that a lambda calls.
struct Implementation {
    opcode: u8,
    class: ClassPtr,
    class_name: &'static [u8],
    name: &'static [u8],
    desc: &'static [u8],
    /// All arguments, the receiver included; the result.
    params: Vec<(ClassPtr, Vec<u8>)>,
    returns: (ClassPtr, Vec<u8>),
    /// The first argument is a receiver.
    instance: bool,
}

impl Vm {
    /// Links a lambda call site: the adapter method and its appendix, or `None` where the
    /// general path has to do it. May answer `Load` traps and is then called again.
    pub fn link_lambda(&mut self, class: ClassPtr, index: u16) -> Res<Option<(MethodPtr, Ref)>> {
        unless_it_throws(self.try_lambda(class, index))
    }

    fn try_lambda(&mut self, class: ClassPtr, index: u16) -> Res<Option<(MethodPtr, Ref)>> {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let (bootstrap, name, factory_desc) = file.pool.dynamic(index);
        let bootstrap = &file.bootstrap_methods[bootstrap as usize];
        let owner = "java/lang/invoke/LambdaMetafactory";
        if class.hidden
            || !self.is_bootstrap(class, bootstrap.handle, owner, "metafactory", METAFACTORY)?
            || self.has_property("jdk.internal.lambda.")
        {
            return Ok(None);
        }
        let &[sam, implementation, dynamic] = &bootstrap.args[..] else {
            return Ok(None);
        };
        let (
            Constant::MethodType { desc: sam },
            Constant::MethodHandle { kind, reference },
            Constant::MethodType { desc: dynamic },
        ) = (
            file.pool.get(sam),
            file.pool.get(implementation),
            file.pool.get(dynamic),
        )
        else {
            return Ok(None);
        };
        // Types are loaded in the order of the general path.
        let factory = self.types(class, factory_desc)?;
        let sam_desc = file.pool.utf8(sam);
        let sam = self.types(class, sam_desc)?;
        let Some(target) = self.implementation(class, kind as u32, reference)? else {
            return Ok(None);
        };
        let dynamic = self.types(class, file.pool.utf8(dynamic))?;
        let interface = factory.returns;
        if !self.fits(&factory, &sam, &dynamic, &target)
            || !legal(name)
            || !interface.is_interface()
            || interface.hidden
            || interface.is_subtype_of(self.known.serializable)
            || !initialized_defaults(interface)
            || self.has_security_manager()
        {
            return Ok(None);
        }
        let nest_host = self.nest_host_of(class);
        let number = self.next_lambda();
        let own = [
            self.symbols.bytes(class.name),
            format!("$$Lambda${number}").as_bytes(),
        ]
        .concat();
        let spun = Spun {
            own: &own,
            factory: &factory,
            sam: &sam,
            dynamic: &dynamic,
        };
        let bytes = spun.write(name, sam_desc, &target, self.symbols.bytes(interface.name));
        let Some(bytes) = bytes else { return Ok(None) };
        let definition = Definition {
            hidden: true,
            nest_host: Some(nest_host),
            ..Definition::default()
        };
        let symbol = self.symbols.intern(&own);
        let spun = self.define_class(
            class.loader,
            Some(symbol),
            ClassBytes::from(bytes),
            definition,
        )?;
        let domain = self.field_ref(class.mirror.get(), "protectionDomain");
        self.set_field_ref(spun.mirror.get(), "protectionDomain", domain);
        self.count_lambda(number);
        let (owner, ..) = file.pool.member(reference);
        if self.is_trusted(owner, false) {
            spun.written_at.set(self.linked_at(class));
        }
        // Correct by construction, and nothing to initialize.
        self.set_class_state(spun, InitState::Initialized);
        if factory.params.is_empty() {
            let instance = self.new_object(spun)?;
            return Ok(Some((self.stubs().link.constant_adapter(), instance)));
        }
        Ok(Some((self.lambda_factory(spun, factory_desc), Ref::NULL)))
    }

    /// The call site of the program that is being linked: the innermost place in its class.
    fn linked_at(&mut self, class: ClassPtr) -> Option<Site> {
        let mut frames = self.running().frames();
        let frame = frames.find(|f| f.method.class == class && !f.method.flags.trusted)?;
        Some(Site {
            method: MethodId(frame.method.id),
            bci: frame.bci(),
        })
    }

    fn has_security_manager(&mut self) -> bool {
        let at = self.offset(self.known.system, "security");
        !self
            .heap
            .get_ref(self.known.system.mirror.get(), at)
            .is_null()
    }

    fn types(&mut self, class: ClassPtr, desc: &'static [u8]) -> Res<Types> {
        let (descs, return_desc) = split(desc);
        let mut params = Vec::with_capacity(descs.len());
        for d in &descs {
            params.push(self.visible(class, d)?);
        }
        let returns = self.visible(class, return_desc)?;
        Ok(Types {
            params,
            returns,
            descs,
            return_desc,
        })
    }

    /// The class of a descriptor, if `class` may name it.
    pub fn visible(&mut self, class: ClassPtr, desc: &[u8]) -> Res<ClassPtr> {
        let found = self.load_descriptor(class.loader, desc)?;
        self.check_class_access(class, found)?;
        Ok(found)
    }

    fn implementation(
        &mut self,
        class: ClassPtr,
        reference_kind: u32,
        reference: u16,
    ) -> Res<Option<Implementation>> {
        let member = self.member_ref(class, reference);
        let owner = self.resolve_class(class, member.class)?;
        if owner.is_array() || owner.hidden || owner.is_interface() != member.interface {
            return Ok(None);
        }
        let q = Query {
            owner,
            name: member.name,
            desc: member.desc,
            caller: Some(class),
        };
        let callee = match reference_kind {
            kind::INVOKE_VIRTUAL => self.query_virtual(q)?,
            kind::INVOKE_STATIC => self.query_static(q)?,
            kind::INVOKE_SPECIAL | kind::NEW_INVOKE_SPECIAL => self.query_special(q)?,
            kind::INVOKE_INTERFACE => self.query_interface(q)?,
            _ => return Ok(None),
        };
        let method = callee.method;
        let declarer = method.class;
        if method.flags.signature_polymorphic
            || method.flags.caller_sensitive
            || declarer.hidden
            || self.constrains(
                self.symbols.bytes(member.desc),
                class.loader,
                declarer.loader,
            )
            || (method.access & access::PROTECTED != 0 && !self.same_package(class, declarer))
        {
            return Ok(None);
        }
        let constructor = self.symbols.bytes(member.name) == b"<init>";
        if constructor != (reference_kind == kind::NEW_INVOKE_SPECIAL)
            || (constructor && declarer.is_abstract())
        {
            return Ok(None);
        }
        let types = self.types(class, self.symbols.bytes(member.desc))?;
        let mut params: Vec<(ClassPtr, Vec<u8>)> = types
            .params
            .iter()
            .map(|&c| (c, self.descriptor(c)))
            .collect();
        let mut returns = (types.returns, self.descriptor(types.returns));
        let dispatched = |c: ClassPtr| {
            if c.is_interface() {
                op::INVOKEINTERFACE
            } else {
                op::INVOKEVIRTUAL
            }
        };
        let (opcode, target) = match reference_kind {
            kind::INVOKE_STATIC => (op::INVOKESTATIC, declarer),
            kind::NEW_INVOKE_SPECIAL => {
                returns = (declarer, self.descriptor(declarer));
                (op::INVOKESPECIAL, declarer)
            }
            kind::INVOKE_SPECIAL if declarer != class || !method.is_private() => return Ok(None),
            kind::INVOKE_SPECIAL => (dispatched(declarer), declarer),
            _ => (dispatched(owner), owner),
        };
        let instance = !matches!(
            reference_kind,
            kind::INVOKE_STATIC | kind::NEW_INVOKE_SPECIAL
        );
        if instance {
            params.insert(0, (target, self.descriptor(target)));
        }
        Ok(Some(Implementation {
            opcode,
            class: target,
            class_name: self.symbols.bytes(target.name),
            name: self.symbols.bytes(member.name),
            desc: self.symbols.bytes(member.desc),
            params,
            returns,
            instance,
        }))
    }

    /// The metafactory's checks of its arguments.
    fn fits(&self, factory: &Types, sam: &Types, dynamic: &Types, target: &Implementation) -> bool {
        let captured = factory.params.len();
        if target.params.len() != captured + sam.params.len()
            || dynamic.params.len() != sam.params.len()
        {
            return false;
        }
        let mut first = 0;
        if target.instance {
            let receiver = if captured == 0 {
                dynamic.params[0]
            } else {
                factory.params[0]
            };
            if receiver.is_primitive() || !receiver.is_subtype_of(target.class) {
                return false;
            }
            first = 1;
        }
        let from = |i: usize| {
            if i < captured {
                factory.params[i]
            } else {
                dynamic.params[i - captured]
            }
        };
        for i in first..target.params.len() {
            let to = target.params[i].0;
            let good = if i < captured {
                from(i) == to
            } else {
                self.adapts(from(i), to, true)
            };
            if !good {
                return false;
            }
        }
        let void = self.known.primitive(Basic::Void);
        let (expected, actual) = (dynamic.returns, target.returns.0);
        if expected != void && (actual == void || !self.adapts(actual, expected, false)) {
            return false;
        }
        let assignable = |to: ClassPtr, from: ClassPtr| to == from || from.is_subtype_of(to);
        if !sam
            .params
            .iter()
            .zip(&dynamic.params)
            .all(|(&s, &d)| assignable(s, d))
        {
            return false;
        }
        if expected == void || sam.returns == void {
            return expected == sam.returns;
        }
        self.adapts(expected, sam.returns, true)
    }

    fn adapts(&self, from: ClassPtr, to: ClassPtr, strict: bool) -> bool {
        if from == to {
            return true;
        }
        match (from.kind, to.kind) {
            (ClassKind::Primitive(f), ClassKind::Primitive(t)) => widening(f, t).is_some(),
            (ClassKind::Primitive(f), _) => {
                let boxed = self.known.boxes.iter().find(|(b, _, _)| *b == f);
                boxed.is_some_and(|(_, class, _)| class.is_subtype_of(to))
            }
            (_, ClassKind::Primitive(t)) => match self.box_type(from) {
                Some(f) => widening(f, t).is_some(),
                None => !strict,
            },
            _ => !strict || from.is_subtype_of(to),
        }
    }

    // ---- the number in the name ---------------------------------------------------------

    /// The counter of the JDK's own metafactory, once that is initialized.
    fn jdk_counter(&mut self) -> Option<Ref> {
        let name = self.symbol("java/lang/invoke/InnerClassLambdaMetafactory");
        let class = self.dictionary.get(&(Ref::NULL, name)).copied()?;
        if !class.is_initialized() {
            return None;
        }
        let at = self.offset(class, "counter");
        let counter = self.heap.get_ref(class.mirror.get(), at);
        (!counter.is_null()).then_some(counter)
    }

    fn next_lambda(&mut self) -> u32 {
        let counted = self
            .jdk_counter()
            .map_or(0, |c| self.field_int(c, "value") as u32);
        counted.max(self.globals.lambdas) + 1
    }

    fn count_lambda(&mut self, number: u32) {
        self.globals.lambdas = number;
        if let Some(counter) = self.jdk_counter() {
            self.set_field_int(counter, "value", number as i32);
        }
    }

    // ---- factories ------------------------------------------------------------------------

    /// The method that makes instances of a spun class from the captured values.
    fn lambda_factory(&mut self, spun: ClassPtr, desc: &[u8]) -> MethodPtr {
        if let Some(&found) = self.lambda_factories.get(&spun.id) {
            return found;
        }
        let (name, desc) = (self.symbol("<capture>"), self.symbols.intern(desc));
        let flags = MethodFlags {
            hidden: true,
            vm_stub: true,
            ..MethodFlags::default()
        };
        let access = access::STATIC | access::SYNTHETIC;
        let method = self.make_method(spun, name, desc, access, u16::MAX, None, flags);
        let object = method.max_locals + FRAME_HEADER as u16;
        let mut words = vec![insn(Op::New, object, 0, 0), spun as *const Class as u64];
        let mut local = 0;
        for (field, &param) in spun.fields.iter().zip(&method.params) {
            let op = match param {
                Basic::Boolean => Op::PutZ,
                Basic::Byte => Op::PutB,
                Basic::Char | Basic::Short => Op::PutC,
                Basic::Long | Basic::Double => Op::PutL,
                _ => Op::PutW,
            };
            words.push(insn(op, local, object, field.offset as u16));
            local += param.slots() as u16;
        }
        words.push(insn(Op::RetV, object, method.max_locals, 0));
        let frame_words = object as u32 + 2;
        let body = Body {
            words: words.into(),
            frame_words,
            ..Body::default()
        };
        let _ = method.body.set(body);
        let body = method
            .body
            .get()
            .expect("heddle internal error: body just set");
        method.code.set(body.words.as_ptr());
        method.frame_words.set(frame_words);
        self.lambda_factories.insert(spun.id, method);
        method
    }
}

fn legal(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(|b| b".;[/<>".contains(b))
}

/// Whether defining an implementing class would initialize nothing.
fn initialized_defaults(interface: ClassPtr) -> bool {
    let mut all = interface.all_interfaces.iter().copied().chain([interface]);
    all.all(|i| {
        i.is_initialized()
            || !i
                .methods()
                .iter()
                .any(|m| !m.is_abstract() && !m.is_static())
    })
}

/// The instruction that widens a primitive type, 0 if none is needed; `None` where that
/// is no widening.
fn widening(from: Basic, to: Basic) -> Option<u8> {
    use Basic::*;
    Some(match (from, to) {
        (a, b) if a == b => 0,
        (Byte, Short | Int) | (Short | Char, Int) => 0,
        (Byte | Short | Char | Int, Long) => op::I2L,
        (Byte | Short | Char | Int, Float) => op::I2F,
        (Byte | Short | Char | Int, Double) => op::I2D,
        (Long, Float) => op::L2F,
        (Long, Double) => op::L2D,
        (Float, Double) => op::F2D,
        _ => return None,
    })
}

/// A class to be written.
struct Spun<'a> {
    own: &'a [u8],
    factory: &'a Types,
    sam: &'a Types,
    dynamic: &'a Types,
}

impl Spun<'_> {
    fn write(
        &self,
        name: &[u8],
        sam_desc: &[u8],
        target: &Implementation,
        interface: &[u8],
    ) -> Option<Vec<u8>> {
        let mut spin = Spin::default();
        let captured: Vec<(String, &[u8])> = (self.factory.descs.iter().enumerate())
            .map(|(i, &desc)| (format!("arg${}", i + 1), desc))
            .collect();
        for (field, desc) in &captured {
            spin.field(access::PRIVATE | access::FINAL, field.as_bytes(), desc);
        }
        self.constructor(&mut spin, &captured);
        let mut code = Code::default();
        if target.name == b"<init>" {
            spin.type_insn(&mut code, op::NEW, target.class_name);
            code.plain(op::DUP, 1);
        }
        for (field, desc) in &captured {
            code.load(op::ALOAD, 0);
            spin.get_field(&mut code, self.own, field.as_bytes(), desc);
        }
        let mut local = 1;
        for (i, desc) in self.sam.descs.iter().enumerate() {
            code.load(load(desc), local);
            local += slots(desc) as u16;
            let to = &target.params[captured.len() + i].1;
            convert(&mut spin, &mut code, desc, to, self.dynamic.descs[i])?;
        }
        let is_interface = target.class.is_interface();
        spin.invoke(
            &mut code,
            target.opcode,
            target.class_name,
            target.name,
            target.desc,
            is_interface,
        );
        let returns = self.sam.return_desc;
        convert(&mut spin, &mut code, &target.returns.1, returns, returns)?;
        code.plain(leave(returns), 0);
        spin.method(access::PUBLIC, name, sam_desc, local, code);
        let flags = access::SUPER | access::FINAL | access::SYNTHETIC;
        Some(spin.finish(MAJOR, flags, self.own, OBJECT, &[interface]))
    }

    fn constructor(&self, spin: &mut Spin, captured: &[(String, &[u8])]) {
        let mut code = Code::default();
        code.load(op::ALOAD, 0);
        spin.invoke(
            &mut code,
            op::INVOKESPECIAL,
            OBJECT,
            b"<init>",
            b"()V",
            false,
        );
        let mut local = 1;
        let mut desc = vec![b'('];
        for (field, field_desc) in captured {
            code.load(op::ALOAD, 0);
            code.load(load(field_desc), local);
            local += slots(field_desc) as u16;
            desc.extend(*field_desc);
            spin.put_field(&mut code, self.own, field.as_bytes(), field_desc);
        }
        desc.extend(b")V");
        code.plain(op::RETURN, 0);
        spin.method(access::PRIVATE, b"<init>", &desc, local, code);
    }
}

fn load(desc: &[u8]) -> u8 {
    match desc[0] {
        b'J' => op::LLOAD,
        b'F' => op::FLOAD,
        b'D' => op::DLOAD,
        b'L' | b'[' => op::ALOAD,
        _ => op::ILOAD,
    }
}

fn leave(desc: &[u8]) -> u8 {
    match desc[0] {
        b'V' => op::RETURN,
        b'J' => op::LRETURN,
        b'F' => op::FRETURN,
        b'D' => op::DRETURN,
        b'L' | b'[' => op::ARETURN,
        _ => op::IRETURN,
    }
}

/// Turns the value on the stack from `from` into `to`; `functional` is the type that the
/// functional interface has for it here.
fn convert(
    spin: &mut Spin,
    code: &mut Code,
    from: &[u8],
    to: &[u8],
    functional: &[u8],
) -> Option<()> {
    if (from == to && from == functional) || from == b"V" || to == b"V" {
        return Some(());
    }
    let (source, target) = (Basic::of(from[0]), Basic::of(to[0]));
    match (source, target) {
        (Basic::Reference, _) => {
            let mut from = from;
            if Basic::of(functional[0]) == Basic::Reference {
                cast(spin, code, from, functional);
                from = functional;
            }
            if target == Basic::Reference {
                cast(spin, code, from, to);
                return Some(());
            }
            match boxed_type(from) {
                Some(basic @ (Basic::Char | Basic::Boolean)) => {
                    unbox(spin, code, from, basic);
                    widen(code, basic, target)
                }
                Some(_) => {
                    unbox(spin, code, from, target);
                    Some(())
                }
                None => {
                    let middle: &[u8] = match target {
                        Basic::Char => b"Ljava/lang/Character;",
                        Basic::Boolean => b"Ljava/lang/Boolean;",
                        _ => b"Ljava/lang/Number;",
                    };
                    cast(spin, code, from, middle);
                    unbox(spin, code, middle, target);
                    Some(())
                }
            }
        }
        (_, Basic::Reference) => {
            let basic = match boxed_type(to) {
                Some(basic) => {
                    widen(code, source, basic)?;
                    basic
                }
                None => source,
            };
            let class = format!("java/lang/{}", box_name(basic));
            let desc = format!("({})L{class};", basic.char() as char);
            spin.invoke(
                code,
                op::INVOKESTATIC,
                class.as_bytes(),
                b"valueOf",
                desc.as_bytes(),
                false,
            );
            cast(spin, code, format!("L{class};").as_bytes(), to);
            Some(())
        }
        _ => widen(code, source, target),
    }
}

fn widen(code: &mut Code, from: Basic, to: Basic) -> Option<()> {
    let opcode = widening(from, to)?;
    if opcode != 0 {
        code.plain(opcode, to.slots() as i32 - from.slots() as i32);
    }
    Some(())
}

fn cast(spin: &mut Spin, code: &mut Code, from: &[u8], to: &[u8]) {
    if from != to && to != b"Ljava/lang/Object;" {
        spin.type_insn(code, op::CHECKCAST, binary_name(to));
    }
}

fn unbox(spin: &mut Spin, code: &mut Code, from: &[u8], to: Basic) {
    let name = format!("{}Value", to.java_name());
    let desc = [b'(', b')', to.char()];
    spin.invoke(
        code,
        op::INVOKEVIRTUAL,
        binary_name(from),
        name.as_bytes(),
        &desc,
        false,
    );
}

/// The name by which class constants call the type of a descriptor.
fn binary_name(desc: &[u8]) -> &[u8] {
    if desc[0] == b'L' {
        &desc[1..desc.len() - 1]
    } else {
        desc
    }
}

/// The primitive type inside a box.
fn boxed_type(desc: &[u8]) -> Option<Basic> {
    Basic::PRIMITIVES
        .into_iter()
        .filter(|b| *b != Basic::Void)
        .find(|b| {
            let name = desc
                .strip_prefix(b"Ljava/lang/")
                .and_then(|d| d.strip_suffix(b";"));
            name == Some(box_name(*b).as_bytes())
        })
}

fn box_name(basic: Basic) -> &'static str {
    match basic {
        Basic::Boolean => "Boolean",
        Basic::Char => "Character",
        Basic::Float => "Float",
        Basic::Double => "Double",
        Basic::Byte => "Byte",
        Basic::Short => "Short",
        Basic::Int => "Integer",
        Basic::Long => "Long",
        Basic::Reference | Basic::Void => "Object",
    }
}

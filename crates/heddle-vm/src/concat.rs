//! String concatenation without the JDK's method-handle trees: what
//! `StringConcatFactory.makeConcatWithConstants` links for a call site, as a
//! native of the VM.
//!
//! Objects are turned into strings by the JDK's own `StringConcatHelper`, in the
//! order of the general path and with its frames in stack traces. Anything
//! unusual (constants that are no strings, a result type other than String, more
//! arguments than the JDK takes, types that cannot be loaded) is left to the JDK.

use crate::class::{Basic, ClassPtr, MethodFlags, MethodPtr, access};
use crate::linkage::Site;
use crate::linkage::unless_it_throws;
use crate::member::kind;
use crate::native::{Frame, Res, Trap, call, from_ref};
use crate::spin::split;
use crate::strings::decode_mutf8;
use crate::text::Text;
use crate::vm::{Vm, trap};
use heddle_classfile::Constant;

const MAKE_CONCAT: &[u8] = b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;";
const MAX_SLOTS: usize = 200;
const HELPER: &str = "java/lang/StringConcatHelper";

/// What one call site puts together.
pub struct Recipe {
    pieces: Vec<Piece>,
    /// Type and argument slot of each argument.
    args: Vec<(Basic, usize)>,
    /// The JDK links this shape to `simpleConcat`.
    simple: bool,
    /// What turns objects, floats and doubles into strings.
    object: MethodPtr,
    float: MethodPtr,
    double: MethodPtr,
}

enum Piece {
    Latin(Vec<u8>),
    Units(Vec<u16>),
    Argument(usize),
}

impl Vm {
    /// Links a string concatenation; `None` where the general path has to do it.
    pub fn link_concat(
        &mut self,
        class: ClassPtr,
        index: u16,
        site: Site,
    ) -> Res<Option<MethodPtr>> {
        unless_it_throws(self.try_concat(class, index, site))
    }

    fn try_concat(&mut self, class: ClassPtr, index: u16, site: Site) -> Res<Option<MethodPtr>> {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let (bootstrap, _, desc) = file.pool.dynamic(index);
        let bootstrap = &file.bootstrap_methods[bootstrap as usize];
        let factory = "java/lang/invoke/StringConcatFactory";
        let name = "makeConcatWithConstants";
        if !self.is_bootstrap(class, bootstrap.handle, factory, name, MAKE_CONCAT)? {
            return Ok(None);
        }
        let (params, returns) = split(desc);
        if returns != b"Ljava/lang/String;" {
            return Ok(None);
        }
        for param in &params {
            self.visible(class, param)?;
        }
        let helper = self.load_boot(HELPER)?;
        self.ensure_initialized(helper)?;
        if let Some(&found) = self.adapters.get(&site) {
            return Ok(Some(found));
        }
        let string = self.known.string;
        let stringifiers = [
            self.method(helper, "stringOf", "(Ljava/lang/Object;)Ljava/lang/String;"),
            self.method(string, "valueOf", "(F)Ljava/lang/String;"),
            self.method(string, "valueOf", "(D)Ljava/lang/String;"),
        ];
        let recipe = parse(class, &bootstrap.args, &params, stringifiers);
        let Some(recipe) = recipe else {
            return Ok(None);
        };
        let (name, desc) = (self.symbol("<concat>"), self.symbols.intern(desc));
        let flags = MethodFlags {
            hidden: true,
            vm_stub: true,
            ..MethodFlags::default()
        };
        let access = access::STATIC | access::NATIVE;
        let method = self.make_method(self.known.string, name, desc, access, u16::MAX, None, flags);
        method.native.set(Some(concat));
        method.pure.set(true);
        self.recipes.insert(method.id, Box::leak(Box::new(recipe)));
        self.adapters.insert(site, method);
        Ok(Some(method))
    }

    /// Whether a bootstrap method is this static method of the JDK.
    pub fn is_bootstrap(
        &mut self,
        class: ClassPtr,
        handle: u16,
        owner: &str,
        name: &str,
        desc: &[u8],
    ) -> Res<bool> {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let Constant::MethodHandle {
            kind: reference_kind,
            reference,
        } = file.pool.get(handle)
        else {
            return Ok(false);
        };
        let member = file.pool.member(reference);
        if reference_kind as u32 != kind::INVOKE_STATIC
            || member != (owner.as_bytes(), name.as_bytes(), desc)
        {
            return Ok(false);
        }
        let owner = self.member_ref(class, reference).class;
        let owner = self.resolve_class(class, owner)?;
        Ok(owner.loader.is_null() && !self.has_property("heddle.linkage"))
    }

    /// Whether a system property was given whose name starts so.
    pub fn has_property(&self, prefix: &str) -> bool {
        self.options
            .properties
            .iter()
            .any(|(name, _)| name.starts_with(prefix))
    }
}

fn parse(
    class: ClassPtr,
    arguments: &[u16],
    params: &[&[u8]],
    [object, float, double]: [MethodPtr; 3],
) -> Option<Recipe> {
    let pool = &class.file.as_ref()?.pool;
    let (&recipe, constants) = arguments.split_first()?;
    let Constant::String { utf8 } = pool.get(recipe) else {
        return None;
    };
    let mut constants = constants.iter();
    let mut pieces = Vec::new();
    let mut literal = Vec::new();
    let mut count = 0;
    for unit in decode_mutf8(pool.utf8(utf8)) {
        match unit {
            1 => {
                flush(&mut literal, &mut pieces);
                pieces.push(Piece::Argument(count));
                count += 1;
            }
            2 => {
                let Constant::String { utf8 } = pool.get(*constants.next()?) else {
                    return None;
                };
                literal.extend(decode_mutf8(pool.utf8(utf8)));
            }
            _ => literal.push(unit),
        }
    }
    flush(&mut literal, &mut pieces);
    let mut slot = 0;
    let mut args = Vec::new();
    for param in params {
        let basic = Basic::of(param[0]);
        args.push((basic, slot));
        slot += basic.slots();
    }
    if count != params.len() || slot > MAX_SLOTS || constants.next().is_some() {
        return None;
    }
    let references = args.iter().all(|(basic, _)| *basic == Basic::Reference);
    let simple = references && !args.is_empty() && pieces.len() <= 2;
    Some(Recipe {
        pieces,
        args,
        simple,
        object,
        float,
        double,
    })
}

fn flush(literal: &mut Vec<u16>, pieces: &mut Vec<Piece>) {
    if literal.is_empty() {
        return;
    }
    let units = std::mem::take(literal);
    pieces.push(if units.iter().all(|&u| u < 256) {
        Piece::Latin(units.iter().map(|&u| u as u8).collect())
    } else {
        Piece::Units(units)
    });
}

/// The native behind every linked concatenation. The phase is the number of arguments
/// that have been turned into strings; a string takes the place of its argument.
fn concat(vm: &mut Vm, f: Frame) -> Res<u64> {
    let recipe = vm.recipes[&f.method().id];
    let mut next = f.phase() as usize;
    if next > 0 {
        f.set_raw(recipe.args[next - 1].1, f.result());
    }
    while let Some(&(basic, slot)) = recipe.args.get(next) {
        next += 1;
        let method = match basic {
            Basic::Reference => {
                let value = f.reference(slot);
                if value.is_null() || vm.class_of(value) == vm.known.string {
                    continue;
                }
                if recipe.simple {
                    return leave_simple(vm, f, recipe);
                }
                recipe.object
            }
            Basic::Float => recipe.float,
            Basic::Double => recipe.double,
            _ => continue,
        };
        f.set_phase(next as u32);
        let mut args = vec![f.raw(slot)];
        args.resize(method.arg_slots as usize, 0);
        return call(method, args);
    }
    let mut text = Text::with_capacity(64);
    for piece in &recipe.pieces {
        match piece {
            Piece::Latin(bytes) => text.latin(bytes),
            Piece::Units(units) => text.units(units),
            &Piece::Argument(i) => {
                let (basic, slot) = recipe.args[i];
                match basic {
                    Basic::Reference | Basic::Float | Basic::Double => {
                        text.string(vm, f.reference(slot));
                    }
                    _ => text.primitive(basic, f.raw(slot)),
                }
            }
        }
    }
    Ok(from_ref(text.finish(vm)?))
}

/// One or two objects, at most one of them a constant: `StringConcatHelper` does it all.
fn leave_simple(vm: &mut Vm, f: Frame, recipe: &Recipe) -> Res<u64> {
    let mut args = Vec::new();
    for piece in &recipe.pieces {
        args.push(match piece {
            Piece::Argument(i) => f.raw(recipe.args[*i].1),
            Piece::Latin(bytes) => {
                let units: Vec<u16> = bytes.iter().map(|&b| b as u16).collect();
                from_ref(vm.intern_utf16(&units)?)
            }
            Piece::Units(units) => from_ref(vm.intern_utf16(units)?),
        });
    }
    let helper = vm.load_boot(HELPER)?;
    let method = if args.len() == 1 {
        vm.method(
            helper,
            "newStringOf",
            "(Ljava/lang/Object;)Ljava/lang/String;",
        )
    } else {
        let desc = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;";
        vm.method(helper, "simpleConcat", desc)
    };
    trap(Trap::TailCall { method, args })
}

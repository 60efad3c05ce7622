//! Each rule of the verifier on handmade code: `T extends p/Base implements I`.

mod common;

use common::asm::{Asm, Body};
use heddle_classfile::opcode::*;
use heddle_classfile::verify::{Hierarchy, Member, NeedsClass, VerifyFailure, verify_class};
use heddle_classfile::{ClassFile, ParseOptions};

struct Small;

impl Hierarchy for Small {
    fn is_interface(&self, class: &[u8]) -> Result<bool, NeedsClass> {
        if class == b"Unknown" {
            return Err(NeedsClass(class.to_vec()));
        }
        Ok(matches!(class, b"I" | b"J" | b"java/lang/Cloneable"))
    }

    fn is_subclass(&self, class: &[u8], ancestor: &[u8]) -> Result<bool, NeedsClass> {
        let mut at = Some(class.to_vec());
        while let Some(name) = at {
            if name == ancestor {
                return Ok(true);
            }
            at = self.superclass(&name)?;
        }
        Ok(false)
    }

    fn superclass(&self, class: &[u8]) -> Result<Option<Vec<u8>>, NeedsClass> {
        Ok(match class {
            b"java/lang/Object" => None,
            b"T" => Some(b"p/Base".to_vec()),
            b"E" => Some(b"java/lang/Throwable".to_vec()),
            _ => Some(b"java/lang/Object".to_vec()),
        })
    }

    fn has_superclass(&self, name: &[u8]) -> bool {
        name == b"p/Base" || name == b"java/lang/Object"
    }

    fn is_protected_elsewhere(&self, _: &[u8], member: Member<'_>) -> Result<bool, NeedsClass> {
        let (Member::Field(name, _) | Member::Method(name, _)) = member;
        Ok(name == b"hidden")
    }
}

/// A static method `()V` unless changed.
fn body(code: &[u8]) -> Body {
    Body {
        access: 9,
        name: "m",
        desc: "()V",
        max_stack: 4,
        max_locals: 4,
        code: code.to_vec(),
        ..Body::default()
    }
}

/// The whole message; empty if the class is accepted.
fn verify(asm: Asm) -> String {
    let class = ClassFile::parse(asm.finish().into(), &ParseOptions::default())
        .expect("the assembler makes proper class files");
    match verify_class(&class, &Small) {
        Ok(()) => String::new(),
        Err(VerifyFailure::Needs(name)) => format!("needs {}", String::from_utf8_lossy(&name)),
        Err(VerifyFailure::Error { message, .. }) => message,
    }
}

/// Checks one method in the version given: the first line of the answer.
fn check(major: u16, make: impl FnOnce(&mut Asm) -> Body, wanted: &str) {
    let mut asm = Asm::new(major);
    let body = make(&mut asm);
    let code = body.code.clone();
    asm.body(body);
    let message = verify(asm);
    let line = message.lines().next().unwrap_or("");
    let line = line
        .strip_prefix("(class: T, method: m signature: ()V) ")
        .unwrap_or(line);
    assert_eq!(line, wanted, "version {major}, code {code:02x?}");
}

/// The answers of both verifiers to the same plain code.
fn both(code: &[u8], checked: &str, inferred: &str) {
    check(61, |_| body(code), checked);
    check(49, |_| body(code), inferred);
}

fn op2(op: u8, index: u16) -> Vec<u8> {
    [&[op][..], &index.to_be_bytes()].concat()
}

#[test]
fn stack() {
    both(&[RETURN], "", "");
    both(
        &[POP, RETURN],
        "Operand stack underflow",
        "Unable to pop operand off an empty stack",
    );
    both(
        &[ICONST_0; 5],
        "Operand stack overflow",
        "Stack size too large",
    );
    both(
        &[ICONST_0, FCONST_0, IADD, POP, RETURN],
        "Bad type on operand stack",
        "Expecting to find integer on stack",
    );
    both(
        &[LCONST_0, POP, RETURN],
        "Bad type on operand stack",
        "Attempt to split long or double on the stack",
    );
    both(&[LCONST_0, POP2, RETURN], "", "");
    both(&[ICONST_0, FCONST_0, SWAP, POP2, RETURN], "", "");
    both(&[LCONST_0, DUP2, LADD, POP2, RETURN], "", "");
    both(
        &[ICONST_0, LCONST_0, DUP2_X1, POP2, POP, POP2, RETURN],
        "Operand stack overflow",
        "Stack size too large",
    );
    both(
        &[ACONST_NULL, LCONST_0, DUP_X1, RETURN],
        "Bad type on operand stack",
        "Attempt to split long or double on the stack",
    );
}

#[test]
fn locals() {
    both(
        &[ILOAD_0, POP, RETURN],
        "Bad local variable type",
        "Accessing value from uninitialized register 0",
    );
    both(
        &[ILOAD, 9, POP, RETURN],
        "Local variable table overflow",
        "Illegal local variable number",
    );
    both(
        &[LCONST_0, LSTORE_3, RETURN],
        "Local variable table overflow",
        "Illegal local variable number",
    );
    both(
        &[LLOAD_3, POP2, RETURN],
        "get long/double overflows locals",
        "Illegal local variable number",
    );
    // Storing into the second half of a long spoils the first.
    both(
        &[
            LCONST_0, LSTORE_0, ICONST_0, ISTORE_1, LLOAD_0, POP2, RETURN,
        ],
        "Bad local variable type",
        "Register pair 0/1 contains wrong type",
    );
    both(
        &[FCONST_0, FSTORE_0, IINC, 0, 1, RETURN],
        "Bad local variable type",
        "Register 0 contains wrong type",
    );
}

#[test]
fn code_shape() {
    both(
        &[ICONST_0],
        "Control flow falls through code end",
        "Falling off the end of the code",
    );
    both(
        &[0xFF],
        "Bad instruction",
        "Illegal instruction found at offset 0",
    );
    both(
        &[SIPUSH, 0],
        "Bad instruction",
        "Code stops in the middle of instruction  starting at offset 0",
    );
    both(
        &[203, 0, 0, RETURN],
        "Bad instruction: cb",
        "Illegal instruction found at offset 0",
    );
    both(
        &[GOTO, 0, 1],
        "Expecting a stackmap frame at branch target 1",
        "Illegal target of jump or branch",
    );
    both(
        &[GOTO, 0, 0],
        "Expecting a stackmap frame at branch target 0",
        "",
    );
    both(&[RETURN, RETURN], "Expecting a stack map frame", "");
    both(
        &[ICONST_0, NEWARRAY, 3, POP, RETURN],
        "Illegal newarray instruction",
        "Bad type passed to newarray",
    );
    // A subroutine: refused by the one, understood by the other.
    both(
        &[JSR, 0, 4, RETURN, ASTORE_0, RET, 0],
        "Bad instruction: a8",
        "",
    );
    check(
        49,
        |_| body(&[JSR, 0, 3, POP, JSR, 0xFF, 0xFF]),
        "Recursive call to jsr entry",
    );
    check(
        49,
        |_| body(&[ICONST_0, ISTORE_0, RET, 0]),
        "Register 0 contains wrong type",
    );
}

#[test]
fn returns() {
    both(
        &[ICONST_0, IRETURN],
        "Method does not expect a return value",
        "Wrong return type in function",
    );
    let int = |code: &[u8]| Body {
        desc: "()I",
        ..body(code)
    };
    check(61, |_| int(&[RETURN]), "Method expects a return value");
    check(61, |_| int(&[ICONST_0, IRETURN]), "");
    let string = |code: &[u8]| Body {
        desc: "()Ljava/lang/String;",
        ..body(code)
    };
    check(61, |_| string(&[ACONST_NULL, ARETURN]), "");
    check(
        61,
        |_| string(&[ICONST_0, NEWARRAY, 10, ARETURN]),
        "Bad return type",
    );
}

#[test]
fn arrays() {
    both(
        &[ICONST_1, NEWARRAY, 10, ICONST_0, IALOAD, POP, RETURN],
        "",
        "",
    );
    both(
        &[ICONST_1, NEWARRAY, 10, ICONST_0, LALOAD, POP2, RETURN],
        "Bad type on operand stack in laload",
        "Expecting to find array of longs on stack",
    );
    both(&[ACONST_NULL, ICONST_0, AALOAD, POP, RETURN], "", "");
    both(&[ACONST_NULL, ARRAYLENGTH, POP, RETURN], "", "");
    check(
        61,
        |a| {
            let string = a.class("java/lang/String");
            body(
                &[
                    &[ICONST_0, ICONST_0, MULTIANEWARRAY][..],
                    &string.to_be_bytes(),
                    &[1, POP, RETURN],
                ]
                .concat(),
            )
        },
        "Illegal constant pool index in multianewarray instruction",
    );
    check(
        61,
        |a| {
            let array = a.class("[I");
            body(
                &[
                    &[ICONST_0, ICONST_0, MULTIANEWARRAY][..],
                    &array.to_be_bytes(),
                    &[2, POP, RETURN],
                ]
                .concat(),
            )
        },
        "Illegal dimension in multianewarray instruction: 2",
    );
}

#[test]
fn constants() {
    both(
        &[LDC, 0, POP, RETURN],
        "Illegal constant pool index 0 in class T",
        "Illegal constant pool index",
    );
    check(
        61,
        |a| {
            let text = a.utf8("x") as u8;
            body(&[LDC, text, POP, RETURN])
        },
        &format!("Illegal type at constant pool entry {} in class T", 1),
    );
    check(
        61,
        |a| {
            let class = a.class("[I");
            body(&[&op2(NEW, class)[..], &[POP, RETURN]].concat())
        },
        "Illegal new instruction",
    );
}

#[test]
fn fields() {
    // A field of T through an int, through another object, through T.
    for (push, wanted) in [
        (vec![ICONST_0], "Bad type on operand stack"),
        (vec![ACONST_NULL], ""),
    ] {
        check(
            61,
            |a| {
                let field = a.field("T", "own", "I");
                body(&[&push[..], &op2(GETFIELD, field), &[POP, RETURN]].concat())
            },
            wanted,
        );
    }
    check(
        61,
        |a| {
            let (string, field) = (a.string("s"), a.field("T", "own", "I"));
            body(
                &[
                    &[LDC, string as u8, ICONST_0][..],
                    &op2(PUTFIELD, field),
                    &[RETURN],
                ]
                .concat(),
            )
        },
        "Bad type on operand stack in putfield",
    );
    // A protected field of p/Base is for T and its subclasses only.
    let protected = |name: &'static str| {
        move |a: &mut Asm| {
            let field = a.field("p/Base", name, "I");
            Body {
                desc: "(Lp/Base;)V",
                ..body(&[&[ALOAD_0][..], &op2(GETFIELD, field), &[POP, RETURN]].concat())
            }
        }
    };
    check(
        61,
        protected("hidden"),
        "Bad access to protected data in getfield",
    );
    check(61, protected("open"), "");
}

#[test]
fn calls() {
    let call = |op: u8, class: &'static str, name: &'static str, before: &'static [u8]| {
        move |a: &mut Asm| {
            let method = a.method(class, name, "()V");
            body(&[before, &op2(op, method), &[RETURN]].concat())
        }
    };
    check(61, call(INVOKESTATIC, "T", "f", &[]), "");
    check(
        61,
        call(INVOKEVIRTUAL, "T", "f", &[ICONST_0]),
        "Bad type on operand stack",
    );
    check(
        61,
        call(INVOKESTATIC, "T", "<init>", &[]),
        "Illegal call to internal method",
    );
    check(
        49,
        call(INVOKESTATIC, "T", "<init>", &[]),
        "Must call initializers using invokespecial",
    );
    check(
        61,
        call(INVOKESPECIAL, "java/lang/String", "f", &[ACONST_NULL]),
        "Bad invokespecial instruction: current class isn't assignable to reference class.",
    );
    check(
        49,
        call(INVOKESPECIAL, "java/lang/String", "f", &[ACONST_NULL]),
        "Illegal use of nonvirtual function call",
    );
    check(
        61,
        call(INVOKESPECIAL, "T", "<init>", &[ACONST_NULL]),
        "Bad operand type when invoking <init>",
    );
    let interface = |count: u8, zero: u8| {
        move |a: &mut Asm| {
            let method = a.interface_method("J", "f", "()V");
            let call = [&op2(INVOKEINTERFACE, method)[..], &[count, zero]].concat();
            body(&[&[ACONST_NULL][..], &call, &[RETURN]].concat())
        }
    };
    check(61, interface(1, 0), "");
    check(
        61,
        interface(2, 0),
        "Inconsistent args count operand in invokeinterface",
    );
    check(
        61,
        interface(1, 1),
        "Fourth operand byte of invokeinterface must be zero",
    );
    // An interface that T only inherits.
    check(
        61,
        |a| {
            let method = a.interface_method("J", "f", "()V");
            body(&[&[ACONST_NULL][..], &op2(INVOKESPECIAL, method), &[RETURN]].concat())
        },
        "Bad invokespecial instruction: interface method reference is in an indirect superinterface.",
    );
}

#[test]
fn new_objects() {
    let make = |class: &'static str, init: &'static str, dup: bool| {
        move |a: &mut Asm| {
            let (class, init) = (a.class(class), a.method(init, "<init>", "()V"));
            let dup: &[u8] = if dup { &[DUP] } else { &[] };
            body(
                &[
                    &op2(NEW, class)[..],
                    dup,
                    &op2(INVOKESPECIAL, init),
                    &[POP, RETURN],
                ]
                .concat(),
            )
        }
    };
    for major in [49, 61] {
        check(major, make("E", "E", true), "");
    }
    check(61, make("E", "T", true), "Call to wrong <init> method");
    check(
        49,
        make("E", "T", true),
        "Call to wrong initialization method",
    );
    check(61, make("E", "E", false), "Operand stack underflow");
    // Using it before it is initialized.
    check(
        61,
        |a| {
            let (class, f) = (a.class("E"), a.method("T", "f", "(Ljava/lang/Object;)V"));
            body(&[&op2(NEW, class)[..], &op2(INVOKESTATIC, f), &[RETURN]].concat())
        },
        "Bad type on operand stack",
    );
}

fn constructor(code: Vec<u8>) -> Body {
    Body {
        access: 1,
        name: "<init>",
        ..body(&code)
    }
}

#[test]
fn constructors() {
    for major in [49, 61] {
        check(
            major,
            |a| {
                let init = a.method("p/Base", "<init>", "()V");
                constructor([&[ALOAD_0][..], &op2(INVOKESPECIAL, init), &[RETURN]].concat())
            },
            "",
        );
    }
    check(
        61,
        |_| constructor(vec![RETURN]),
        "Constructor must call super() or this() before return",
    );
    check(
        61,
        |a| {
            let init = a.method("java/lang/Object", "<init>", "()V");
            constructor([&[ALOAD_0][..], &op2(INVOKESPECIAL, init), &[RETURN]].concat())
        },
        "Bad <init> method call",
    );
    // An own field may be set before super(), another may not.
    for (class, wanted) in [
        ("T", ""),
        ("p/Base", "Bad type on operand stack in putfield"),
    ] {
        check(
            61,
            |a| {
                let (field, init) = (
                    a.field(class, "own", "I"),
                    a.method("p/Base", "<init>", "()V"),
                );
                let set = [&[ALOAD_0, ICONST_0][..], &op2(PUTFIELD, field)].concat();
                constructor([&set[..], &[ALOAD_0], &op2(INVOKESPECIAL, init), &[RETURN]].concat())
            },
            wanted,
        );
    }
    // A handler around super() that returns lets a half-made object escape.
    check(
        61,
        |a| {
            let init = a.method("p/Base", "<init>", "()V");
            let throwable = a.class("java/lang/Throwable").to_be_bytes();
            Body {
                handlers: vec![[0, 4, 5, 0]],
                map: Some((
                    1,
                    vec![255, 0, 5, 0, 1, 6, 0, 1, 7, throwable[0], throwable[1]],
                )),
                ..constructor(
                    [
                        &[ALOAD_0][..],
                        &op2(INVOKESPECIAL, init),
                        &[RETURN, POP, RETURN],
                    ]
                    .concat(),
                )
            }
        },
        "Bad <init> method call from after the start of a try block",
    );
}

#[test]
fn stack_maps() {
    let mapped = |code: &[u8], count: u16, map: &[u8]| Body {
        map: Some((count, map.to_vec())),
        ..body(code)
    };
    let jump = [ICONST_0, IFEQ, 0, 3, RETURN];
    check(61, |_| mapped(&jump, 1, &[4]), "");
    check(
        61,
        |_| mapped(&jump, 1, &[3]),
        "StackMapTable error: bad offset",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[64 + 4, 1]),
        "Inconsistent stackmap frames at branch target 4",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[252, 0, 4, 1]),
        "Inconsistent stackmap frames at branch target 4",
    );
    check(
        61,
        |_| mapped(&[ICONST_0, POP, RETURN], 1, &[64 + 1, 2]),
        "Instruction type does not match stack map",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[200, 0, 0]),
        "StackMapTable format error: reserved frame type",
    );
    check(
        61,
        |_| mapped(&jump, 2, &[4]),
        "StackMapTable format error: access beyond the end of attribute",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[4, 0]),
        "StackMapTable format error: wrong attribute size",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[64 + 4, 9]),
        "StackMapTable format error: bad verification type",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[64 + 4, 7, 0, 0]),
        "StackMapTable format error: bad class index",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[64 + 4, 8, 0, 0]),
        "StackMapTable format error: bad offset for Uninitialized in method 'void T.m()'",
    );
    check(
        61,
        |_| mapped(&jump, 1, &[248, 0, 4]),
        "StackMapTable format error: bad type array size in method 'void T.m()'",
    );
    // In version 50 the older verifier has the last word, unless the table is garbage.
    check(50, |_| mapped(&jump, 1, &[64 + 4, 1]), "");
    check(
        50,
        |_| mapped(&jump, 1, &[200, 0, 0]),
        "StackMapTable format error: reserved frame type",
    );
    check(50, |_| body(&[POP, RETURN]), "Operand stack underflow");
}

#[test]
fn switches() {
    let switch = |words: &[i32]| {
        let mut code = vec![ICONST_0, LOOKUPSWITCH, 0, 0];
        code.extend(words.iter().flat_map(|w| w.to_be_bytes()));
        code.push(RETURN);
        code
    };
    let mapped = |words: &[i32]| Body {
        map: Some((1, vec![28])),
        ..body(&switch(words))
    };
    check(61, |_| mapped(&[27, 2, 1, 27, 2, 27]), "");
    check(
        61,
        |_| mapped(&[27, 2, 2, 27, 1, 27]),
        "Bad lookupswitch instruction",
    );
    check(
        61,
        |_| mapped(&[27, 2, 1, 27, 2, 26]),
        "Expecting a stackmap frame at branch target 27",
    );
    check(
        49,
        |_| body(&switch(&[27, 2, 2, 27, 1, 27])),
        "Unsorted lookup switch",
    );
    check(
        49,
        |_| body(&switch(&[26, 2, 1, 27, 2, 27])),
        "Illegal default target in switch",
    );
    check(
        49,
        |_| body(&switch(&[27, 2, 1, 27, 2, 26])),
        "Illegal branch in tableswitch",
    );
}

#[test]
fn handlers() {
    let guarded = |catch: &'static str| {
        move |a: &mut Asm| {
            let catch = a.class(catch);
            let [high, low] = catch.to_be_bytes();
            Body {
                handlers: vec![[0, 1, 2, catch]],
                map: Some((1, vec![64 + 2, 7, high, low])),
                ..body(&[NOP, RETURN, POP, RETURN])
            }
        }
    };
    for major in [49, 61] {
        check(major, guarded("E"), "");
    }
    check(
        61,
        guarded("T"),
        "Catch type is not a subclass of Throwable in exception handler 2",
    );
    check(49, guarded("T"), "catch_type not a subclass of Throwable");
    let range = |handler: [u16; 4]| {
        move |_: &mut Asm| Body {
            handlers: vec![handler],
            ..body(&[SIPUSH, 0, 0, POP, RETURN])
        }
    };
    check(
        61,
        range([1, 4, 3, 0]),
        "Illegal exception table start_pc 1 in method 'void T.m()'",
    );
    check(
        61,
        range([0, 2, 3, 0]),
        "Illegal exception table end_pc 2 in method 'void T.m()'",
    );
    check(
        61,
        range([0, 3, 2, 0]),
        "Illegal exception table handler_pc 2 in method 'void T.m()'",
    );
    check(49, range([1, 4, 3, 0]), "Illegal exception table range");
    check(49, range([0, 3, 2, 0]), "Illegal exception table handler");
    check(
        61,
        range([0, 3, 3, 0]),
        "Expecting a stackmap frame at branch target 3",
    );
}

#[test]
fn classes_that_are_not_loaded_are_asked_for() {
    check(
        61,
        |a| {
            let (string, f) = (a.string("s"), a.method("T", "f", "(LUnknown;)V"));
            body(&[&[LDC, string as u8][..], &op2(INVOKESTATIC, f), &[RETURN]].concat())
        },
        "needs Unknown",
    );
}

#[test]
fn details_follow_the_first_line() {
    let mut asm = Asm::new(61);
    let f = asm.method("T", "f", "(Ljava/lang/String;)V");
    asm.body(body(
        &[&[ICONST_0][..], &op2(INVOKESTATIC, f), &[RETURN]].concat(),
    ));
    let code = format!("03b8 {f:04x} b1");
    assert_eq!(
        verify(asm),
        format!(
            "Bad type on operand stack\n\
         Exception Details:\n  \
           Location:\n    \
             T.m()V @1: invokestatic\n  \
           Reason:\n    \
             Type integer (current frame, stack[0]) is not assignable to 'java/lang/String'\n  \
           Current Frame:\n    \
             bci: @1\n    \
             flags: {{ }}\n    \
             locals: {{ }}\n    \
             stack: {{ integer }}\n  \
           Bytecode:\n    \
             0000000: {code:39}\n"
        )
    );
}

//! The verifier's rules for instructions, each on handmade code.

mod common;

use common::asm::{Asm, Body};
use common::rules::{body, both, check, op2};
use heddle_classfile::opcode::*;

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

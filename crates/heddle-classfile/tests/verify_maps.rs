//! The verifier's rules for stack maps, switches and handlers, and its messages.

mod common;

use common::asm::{Asm, Body};
use common::rules::{body, check, op2, verify};
use heddle_classfile::opcode::*;

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

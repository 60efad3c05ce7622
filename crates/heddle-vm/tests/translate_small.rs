//! The translation of small methods, instruction by instruction.

mod common;

use common::{Made, class_of, pool};
use heddle_classfile::opcode::*;
use heddle_vm::disasm::{instructions, line, listing};
use heddle_vm::translate::{TranslateError, translate};

fn body_of(made: &Made<'_>, code: &[u8]) -> Result<String, TranslateError> {
    let class = class_of(made, code);
    let body = translate(&class, &class.methods[0])?;
    if let Err(defect) = common::check(&body) {
        panic!("{defect}\n{}", listing(&body, made.locals));
    }
    let mut lines: Vec<_> = instructions(&body)
        .map(|(word, op, words)| line(word, op, words, made.locals))
        .collect();
    for h in &body.handlers {
        lines.push(format!("catch {}..{} ->{}", h.start, h.end, h.target));
    }
    Ok(lines.join("\n"))
}

/// Locals: int 0, int 1, long 2; returns int.
fn expect(code: &[u8], expected: &[&str]) {
    expect_made(&Made::default(), code, expected);
}

fn expect_made(made: &Made<'_>, code: &[u8], expected: &[&str]) {
    let got = body_of(made, code).unwrap();
    assert_eq!(got, expected.join("\n"), "\ngot:\n{got}");
}

fn expect_error(made: &Made<'_>, code: &[u8], bci: u32, reason: &str) {
    match body_of(made, code) {
        Ok(text) => panic!("accepted:\n{text}"),
        Err(e) => assert_eq!((e.bci, e.reason), (bci, reason)),
    }
}

#[test]
fn operands_come_from_where_they_are() {
    expect(
        &[ILOAD_0, ILOAD_1, IADD, IRETURN],
        &["IAdd s0, l0, l1", "RetV s0, 8"],
    );
    expect(
        &[ILOAD_0, ICONST_5, IADD, ISTORE_1, ILOAD_1, IRETURN],
        &["IAddI l1, l0, #5", "RetV l1, 8"],
    );
    expect(
        &[ICONST_5, ILOAD_0, ISUB, IRETURN],
        &["ConstI s0, #5", "ISub s0, s0, l0", "RetV s0, 8"],
    );
}

#[test]
fn immediates() {
    let with = |constant: &[u8], op: u8, expected: &str| {
        let code = [&[ILOAD_0], constant, &[op, IRETURN]].concat();
        expect(&code, &[expected, "RetV s0, 8"]);
    };
    with(&[ICONST_3], ISUB, "IAddI s0, l0, #-3");
    with(&[BIPUSH, 0x80], ISUB, "IAddI s0, l0, #128");
    with(&[ICONST_3], IDIV, "IDivI s0, l0, #3");
    with(&[BIPUSH, 33], ISHL, "IShlI s0, l0, #1");
    with(&[SIPUSH, 0x7F, 0xFF], IAND, "IAndI s0, l0, #32767");
    // -32768 negated does not fit.
    expect(
        &[ILOAD_0, SIPUSH, 0x80, 0, ISUB, IRETURN],
        &["ConstI s1, #-32768", "ISub s0, l0, s1", "RetV s0, 8"],
    );
    // Division by zero must throw.
    expect(
        &[ILOAD_0, ICONST_0, IREM, IRETURN],
        &["ConstI s1, #0", "IRem s0, l0, s1", "RetV s0, 8"],
    );
    expect(
        &[LLOAD_2, ICONST_3, I2L, LADD, L2I, IRETURN],
        &["LAddI s0, l2, #3", "L2I s0, s0", "RetV s0, 8"],
    );
}

#[test]
fn a_store_saves_aliases_first() {
    // i + (i = 7) …
    expect(
        &[ILOAD_0, BIPUSH, 7, DUP, ISTORE_0, IADD, IRETURN],
        &[
            "Move s0, l0",
            "ConstI l0, #7",
            "IAddI s0, s0, #7",
            "RetV s0, 8",
        ],
    );
    // i++ + i
    expect(
        &[ILOAD_0, IINC, 0, 1, ILOAD_0, IADD, IRETURN],
        &[
            "Move s0, l0",
            "IAddI l0, l0, #1",
            "IAdd s0, s0, l0",
            "RetV s0, 8",
        ],
    );
    // No forwarding past an alias: x = i; i = j * 2 with i still on the stack.
    expect(
        &[ILOAD_0, ILOAD_1, ICONST_2, IMUL, ISTORE_0, IRETURN],
        &[
            "IMulI s1, l1, #2",
            "Move s0, l0",
            "Move l0, s1",
            "RetV s0, 8",
        ],
    );
    // A value that was duplicated is then found in the local.
    expect(
        &[ILOAD_0, ILOAD_1, IADD, DUP, ISTORE_0, IRETURN],
        &["IAdd l0, l0, l1", "RetV l0, 8"],
    );
}

#[test]
fn swaps_through_the_spare_register() {
    let call = [INVOKESTATIC, 0, pool::F];
    // f(1), f(2), swapped, with the long between
    let code = [
        &[ICONST_1, LLOAD_2][..],
        &call,
        &[ICONST_2, LLOAD_2],
        &call,
        &[SWAP, I2L],
        &call,
        &[IRETURN],
    ]
    .concat();
    expect(
        &code,
        &[
            "ConstI s0, #1",
            "Move s1, l2",
            "InvokeStaticU s0, 3, cp11",
            "ConstI s1, #2",
            "Move s2, l2",
            "InvokeStaticU s1, 3, cp11",
            "Move s12, s1",
            "Move s1, s0",
            "Move s0, s12",
            "I2L s1, s1",
            "InvokeStaticU s0, 3, cp11",
            "RetV s0, 8",
        ],
    );
}

#[test]
fn compare_and_branch() {
    // if (i < j) return 1; return 0
    let cond = |op: u8, loads: &[u8], expected: &str| {
        let branch = [op, 0, 5, ICONST_1, IRETURN, ICONST_0, IRETURN];
        let code = [loads, &branch].concat();
        expect(
            &code,
            &[
                expected,
                "ConstI s0, #1",
                "RetV s0, 8",
                "ConstI s0, #0",
                "RetV s0, 8",
            ],
        );
    };
    cond(IF_ICMPLT, &[ILOAD_0, ILOAD_1], "JLt l0, l1, ->3");
    cond(IF_ICMPLT, &[ILOAD_0, ICONST_4], "JLtI l0, #4, ->3");
    cond(IF_ICMPLT, &[ICONST_4, ILOAD_0], "JGtI l0, #4, ->3");
    cond(IF_ICMPGE, &[ICONST_4, ILOAD_0], "JLeI l0, #4, ->3");
    cond(IFNULL, &[ALOAD_0], "JEqI l0, #0, ->3");
    cond(IF_ACMPNE, &[ALOAD_0, ACONST_NULL], "JNeI l0, #0, ->3");
    cond(IFGE, &[LLOAD_2, LLOAD_2, LCMP], "JLGe l2, l2, ->3");
    cond(IFGE, &[FLOAD_0, FLOAD_1, FCMPG], "JFNlt l0, l1, ->3");
    cond(IFLE, &[DLOAD_2, DLOAD_2, DCMPL], "JDNgt l2, l2, ->3");
}

#[test]
fn loops_test_at_the_end() {
    // for (i = 0; i < j; i++) k += i
    expect(
        &[
            ICONST_0, ISTORE_0, ILOAD_0, ILOAD_1, IF_ICMPGE, 0, 15, ILOAD, 4, ILOAD_0, IADD,
            ISTORE, 4, IINC, 0, 1, GOTO, 0xFF, 0xF2, ILOAD, 4, IRETURN,
        ],
        &[
            "ConstI l0, #0",
            "JGe l0, l1, ->4",
            "IAdd l4, l4, l0",
            "IncJLt l0, l1, ->2",
            "RetV l4, 8",
        ],
    );
    // while (i > 3) i--
    expect(
        &[
            ILOAD_0, ICONST_3, IF_ICMPLE, 0, 9, IINC, 0, 0xFF, GOTO, 0xFF, 0xF8, ILOAD_0, IRETURN,
        ],
        &["JLeI l0, #3, ->2", "DecJGeI l0, #4, ->1", "RetV l0, 8"],
    );
    // while (i < a.length) i++, without and with a handler
    let code = [
        ILOAD_0,
        ALOAD,
        4,
        ARRAYLENGTH,
        IF_ICMPGE,
        0,
        9,
        IINC,
        0,
        1,
        GOTO,
        0xFF,
        0xF6,
        ILOAD_0,
        IRETURN,
        ASTORE_1,
        ILOAD_0,
        IRETURN,
    ];
    expect(
        &code,
        &[
            "ArrayLen s1, l4",
            "JGe l0, s1, ->4",
            "ArrayLen s1, l4",
            "IncJLt l0, s1, ->2",
            "RetV l0, 8",
        ],
    );
    let handlers = [[0, 13, 15, 0]];
    let made = Made {
        handlers: &handlers,
        ..Made::default()
    };
    expect_made(
        &made,
        &code,
        &[
            "ArrayLen s1, l4",
            "JGe l0, s1, ->5",
            "IAddI l0, l0, #1",
            "ArrayLen s1, l4",
            "JLt l0, s1, ->2",
            "RetV l0, 8",
            "Move l1, s0",
            "RetV l0, 8",
            "catch 0..5 ->6",
        ],
    );
    // The test is in the range, the jump is not: no copy.
    let handlers = [[0, 10, 15, 0]];
    let made = Made {
        handlers: &handlers,
        ..Made::default()
    };
    expect_made(
        &made,
        &code,
        &[
            "ArrayLen s1, l4",
            "JGe l0, s1, ->3",
            "IncJmp l0, #1, ->0",
            "RetV l0, 8",
            "Move l1, s0",
            "RetV l0, 8",
            "catch 0..3 ->4",
        ],
    );
}

#[test]
fn stack_values_meet_in_canonical_registers() {
    // i + (j != 0 ? 2 : l) with the sum on the stack across the branch
    expect(
        &[
            ILOAD_0, ILOAD_1, IFEQ, 0, 7, ICONST_2, GOTO, 0, 5, LLOAD_2, L2I, IADD, IRETURN,
        ],
        &[
            "Move s0, l0",
            "JEqI l1, #0, ->4",
            "ConstI s1, #2",
            "Jmp ->5",
            "L2I s1, l2",
            "IAdd s0, s0, s1",
            "RetV s0, 8",
        ],
    );
}

#[test]
fn returns() {
    let returning = |desc: &'static str, access: u16, code: &[u8], expected: &[&str]| {
        let made = Made {
            desc,
            access,
            ..Made::default()
        };
        expect_made(&made, code, expected);
    };
    let load = [ILOAD_0, IRETURN];
    returning("(I)Z", 8, &load, &["IAndI s0, l0, #1", "RetV s0, 8"]);
    returning("(I)B", 8, &load, &["I2B s0, l0", "RetV s0, 8"]);
    returning("(I)C", 8, &load, &["I2C s0, l0", "RetV s0, 8"]);
    returning("(I)S", 8, &load, &["I2S s0, l0", "RetV s0, 8"]);
    returning("(I)I", 8, &load, &["RetV l0, 8"]);
    returning(
        "(I)B",
        8,
        &[ILOAD_0, I2B, IRETURN],
        &["I2B s0, l0", "RetV s0, 8"],
    );
    returning("(I)V", 0x28, &[RETURN], &["RetSync 8"]);
    returning(
        "(I)J",
        0x28,
        &[LCONST_1, LRETURN],
        &["ConstL s0, #1", "RetVSync s0, 8"],
    );
    // A jump to a return is a return.
    returning(
        "(I)Z",
        8,
        &[ILOAD_0, IFNE, 0, 7, ICONST_1, GOTO, 0, 4, ICONST_0, IRETURN],
        &[
            "JNeI l0, #0, ->3",
            "ConstI s0, #1",
            "RetV s0, 8",
            "ConstI s0, #0",
            "RetV s0, 8",
        ],
    );
}

#[test]
fn constants_of_loops() {
    // do { a[0] = 70000; } while (++i < j)
    expect(
        &[
            ALOAD,
            4,
            ICONST_0,
            LDC,
            pool::INT,
            IASTORE,
            IINC,
            0,
            1,
            ILOAD_0,
            ILOAD_1,
            IF_ICMPLT,
            0xFF,
            0xF5,
            ILOAD_0,
            IRETURN,
        ],
        &[
            "ConstI s13, #0",
            "ConstI s14, #70000",
            "AStoreW s14, l4, s13",
            "IncJLt l0, l1, ->2",
            "RetV l0, 8",
        ],
    );
}

#[test]
fn loops_entered_in_the_middle_keep_their_constants() {
    // goto test; head: a[0] = 70000; test: if (++i < j) goto head
    expect(
        &[
            GOTO,
            0,
            9,
            ALOAD,
            4,
            ICONST_0,
            LDC,
            pool::INT,
            IASTORE,
            IINC,
            0,
            1,
            ILOAD_0,
            ILOAD_1,
            IF_ICMPLT,
            0xFF,
            0xF5,
            ILOAD_0,
            IRETURN,
        ],
        &[
            "Jmp ->4",
            "ConstI s1, #0",
            "ConstI s2, #70000",
            "AStoreW s2, l4, s1",
            "IncJLt l0, l1, ->1",
            "RetV l0, 8",
        ],
    );
}

#[test]
fn jumps_to_the_head_of_a_loop_load_its_constants() {
    // if (i != 0) goto head; i = 1; head: goto body; body: a[0] = 70000; if (++i < j) goto head
    expect(
        &[
            ILOAD_0,
            IFNE,
            0,
            5,
            ICONST_1,
            ISTORE_0,
            GOTO,
            0,
            3,
            ALOAD,
            4,
            ICONST_0,
            LDC,
            pool::INT,
            IASTORE,
            IINC,
            0,
            1,
            ILOAD_0,
            ILOAD_1,
            IF_ICMPLT,
            0xFF,
            0xF2,
            ILOAD_0,
            IRETURN,
        ],
        &[
            "JNeI l0, #0, ->2",
            "ConstI l0, #1",
            "ConstI s13, #0",
            "ConstI s14, #70000",
            "AStoreW s14, l4, s13",
            "IncJLt l0, l1, ->4",
            "RetV l0, 8",
        ],
    );
}

#[test]
fn jumps_out_of_a_loop_survive_its_constants() {
    // outer: f(1, 1); inner: a[0] = 70000; i++; if (i < j) goto outer; if (i != 5) goto inner
    expect(
        &[
            ICONST_1,
            LCONST_1,
            INVOKESTATIC,
            0,
            pool::F,
            POP,
            ALOAD,
            4,
            ICONST_0,
            LDC,
            pool::INT,
            IASTORE,
            IINC,
            0,
            1,
            ILOAD_0,
            ILOAD_1,
            IF_ICMPLT,
            0xFF,
            0xEF,
            ILOAD_0,
            ICONST_5,
            IF_ICMPNE,
            0xFF,
            0xF0,
            ILOAD_0,
            IRETURN,
        ],
        &[
            "ConstI s0, #1",
            "ConstL s1, #1",
            "InvokeStaticU s0, 3, cp11",
            "ConstI s13, #0",
            "ConstI s14, #70000",
            "AStoreW s14, l4, s13",
            "IAddI l0, l0, #1",
            "JLt l0, l1, ->0",
            "JNeI l0, #5, ->8",
            "RetV l0, 8",
        ],
    );
}

#[test]
fn subroutines() {
    expect(
        &[JSR, 0, 5, ILOAD_0, IRETURN, ASTORE, 5, IINC, 0, 1, RET, 5],
        &[
            "Jsr s0, ->3",
            "RetV l0, 8",
            "Move l5, s0",
            "IAddI l0, l0, #1",
            "RetSub l5",
        ],
    );
}

#[test]
fn far_jumps_span_an_unconditional_one() {
    let mut code = vec![ILOAD_0, IFEQ, 0x7F, 0xFF];
    while code.len() + 6 <= 0x8000 {
        code.extend([ICONST_1, LCONST_1, INVOKESTATIC, 0, pool::F, ISTORE_0]);
    }
    code.resize(0x8000, NOP);
    code.extend([ILOAD_0, IRETURN]);
    let class = class_of(&Made::default(), &code);
    let body = translate(&class, &class.methods[0]).unwrap();
    common::check(&body).unwrap();
    let text = listing(&body, 8);
    let words = body.words.len();
    assert!(words > 0x7FFF, "{words}");
    let start: Vec<_> = text.lines().take(2).collect();
    assert!(start[0].ends_with("JNeI l0, #0, ->3"), "{start:?}");
    assert!(
        start[1].ends_with(&format!("JmpFar ->{}", words - 1)),
        "{start:?}"
    );
}

#[test]
fn malformed_code() {
    let made = Made::default();
    let tiny = Made {
        stack: 1,
        locals: 4,
        ..Made::default()
    };
    let cases: [(&Made<'_>, &[u8], u32, &str); 17] = [
        (&made, &[NOP], 0, "control falls off the end of the code"),
        (&made, &[GOTO, 0, 9], 0, "jump out of the code"),
        (&made, &[GOTO, 0xFF, 0xFF], 0, "jump out of the code"),
        (
            &made,
            &[SIPUSH, 0, 0, GOTO, 0xFF, 0xFE],
            3,
            "jump into an instruction",
        ),
        (&made, &[IADD, IRETURN], 0, "operand stack underflow"),
        (
            &made,
            &[ICONST_0, SWAP, IRETURN],
            1,
            "operand stack underflow",
        ),
        (
            &tiny,
            &[ICONST_0, ICONST_0, IADD, IRETURN],
            1,
            "operand stack overflow",
        ),
        (&tiny, &[ILOAD, 9, IRETURN], 0, "no such local"),
        (
            &tiny,
            &[WIDE, IINC, 0, 4, 0, 1, ICONST_0, IRETURN],
            0,
            "no such local",
        ),
        (
            &made,
            &[LLOAD_2, POP, ICONST_0, IRETURN],
            1,
            "operand of the wrong size",
        ),
        (
            &made,
            &[ICONST_0, LLOAD_2, DUP_X2, IRETURN],
            2,
            "long or double split in two",
        ),
        (&made, &[LDC, 99, IRETURN], 0, "constant of the wrong kind"),
        (
            &made,
            &[LDC, pool::LONG, IRETURN],
            0,
            "constant of the wrong kind",
        ),
        (
            &made,
            &[NEW, 0, pool::F, IRETURN],
            0,
            "constant is no class",
        ),
        (
            &made,
            &[GETSTATIC, 0, pool::F, IRETURN],
            0,
            "constant is no field",
        ),
        (&made, &[LCONST_0, LRETURN], 1, "return of the wrong size"),
        (
            &made,
            &[
                ICONST_0, ILOAD_0, IFEQ, 0, 4, POP, ICONST_0, ICONST_1, IRETURN,
            ],
            6,
            "operand stacks differ where control meets",
        ),
    ];
    for (made, code, bci, reason) in cases {
        expect_error(made, code, bci, reason);
    }
}

/// Not a matter of time, but these would take minutes if the stack were
/// searched, and overflow ours if settling were not bounded.
#[test]
fn deep_stacks() {
    let made = Made {
        stack: 60_000,
        ..Made::default()
    };
    let mut code = vec![ILOAD_0; 30_000];
    code.extend([IADD; 29_999]);
    code.push(IRETURN);
    assert!(body_of(&made, &code).is_ok());
    // Blocks that begin with deeper and deeper stacks.
    let mut code = Vec::new();
    for _ in 0..10_000 {
        code.extend([ICONST_1, ILOAD_0, IFEQ, 0, 3]);
    }
    code.push(IRETURN);
    assert!(body_of(&made, &code).is_ok());
    // A long chain of entries, each in the register of the one above.
    let mut code = vec![ILOAD_0; 2];
    for _ in 0..15_000 {
        code.extend([ILOAD_1, ICONST_1, IADD, SWAP]);
    }
    code.extend([ISTORE_0, IRETURN]);
    let made = Made {
        stack: 15_010,
        ..Made::default()
    };
    let error = body_of(&made, &code).err();
    assert_eq!(error.map(|e| e.reason), None);
}

//! Single edits of small methods, byte by byte or through the verifier.

mod common;

use common::asm::{Asm, Body};
use common::world::{Loader, World};
use heddle_classfile::code::Operand;
use heddle_classfile::edit::{
    ClassEdit, CodeEdit, EditError, EditErrorKind, Jumps, Kind, LineStart, Nesting, NewMethod,
    Snippet,
};
use heddle_classfile::opcode::*;
use heddle_classfile::verify::verify_class;
use heddle_classfile::{ClassBytes, ClassFile, ParseOptions, access};
use std::collections::HashMap;

/// A class `T extends java.lang.Object` with one static method `m()V`.
fn class(major: u16, code: &[u8]) -> ClassFile {
    with_method(
        major,
        Body {
            access: 9,
            code: code.to_vec(),
            ..body()
        },
    )
}

fn body() -> Body {
    Body {
        access: 9,
        name: "m",
        desc: "()V",
        max_stack: 4,
        max_locals: 4,
        ..Body::default()
    }
}

fn asm(major: u16) -> Asm {
    let mut asm = Asm::new(major);
    asm.super_class = "java/lang/Object";
    asm.interface = "java/lang/Cloneable";
    asm
}

fn with_method(major: u16, body: Body) -> ClassFile {
    let mut asm = asm(major);
    asm.body(body);
    parse(asm.finish().into())
}

fn parse(bytes: ClassBytes) -> ClassFile {
    let options = ParseOptions {
        max_major: 69,
        ..ParseOptions::default()
    };
    ClassFile::parse(bytes, &options).expect("a class file")
}

/// Edits the first method and gives the new class.
fn edit(
    class: &ClassFile,
    change: impl FnOnce(&mut ClassEdit<'_>),
) -> Result<ClassFile, EditError> {
    let mut edit = ClassEdit::new(class);
    change(&mut edit);
    edit.finish().map(parse)
}

/// The same for edits that are right, by our verifier too.
fn edit_right(class: &ClassFile, change: impl FnOnce(&mut ClassEdit<'_>)) -> ClassFile {
    let new = edit(class, change).expect("a right edit");
    assert_verifies(&new);
    new
}

fn assert_verifies(class: &ClassFile) {
    // None of the methods below needs another class.
    let world = World {
        classes: HashMap::new(),
    };
    let loader = Loader {
        world: &world,
        class,
        same_loader: true,
    };
    if let Err(failure) = verify_class(class, &loader) {
        panic!("{failure:#?}");
    }
}

fn code_of(class: &ClassFile) -> &[u8] {
    class.code_bytes(class.methods[0].code.as_ref().expect("code"))
}

fn nops(edit: &mut ClassEdit<'_>, count: usize) -> Snippet {
    let mut s = edit.snippet();
    for _ in 0..count {
        s.op(NOP);
    }
    s.done()
}

fn code<'e, 'c>(edit: &'e mut ClassEdit<'c>) -> &'e mut CodeEdit<'c> {
    edit.code(0).expect("code that can be read")
}

const BRANCH: [u8; 7] = [ICONST_0, IFEQ, 0, 5, NOP, NOP, RETURN];

#[test]
fn jumps_run_what_is_inserted_or_skip_it() {
    let old = class(49, &BRANCH);
    let run = edit_right(&old, |e| {
        let s = nops(e, 2);
        code(e).before(6, &s);
    });
    let expected = [ICONST_0, IFEQ, 0, 5, NOP, NOP, NOP, NOP, RETURN];
    assert_eq!(code_of(&run), expected);
    let skip = edit_right(&old, |e| {
        let s = nops(e, 2);
        code(e).before_with(6, Jumps::Skip, &s);
    });
    assert_eq!(code_of(&skip)[1..4], [IFEQ, 0, 7]);
    let after = edit_right(&old, |e| {
        let s = nops(e, 1);
        let (pop, push) = (e.snippet().op(POP).done(), e.snippet().op(ICONST_1).done());
        code(e).after(1, &s);
        // In the order of the calls, whatever comes in between.
        code(e).before(4, &push);
        code(e).after(0, &s);
        code(e).before(4, &pop);
    });
    let expected = [
        ICONST_0, NOP, IFEQ, 0, 8, NOP, ICONST_1, POP, NOP, NOP, RETURN,
    ];
    assert_eq!(code_of(&after), expected);
}

#[test]
fn code_behind_what_never_goes_on_is_left_out() {
    let old = class(49, &[GOTO, 0, 4, NOP, RETURN]);
    let new = edit_right(&old, |e| {
        let s = nops(e, 3);
        code(e).after(0, &s);
        code(e).after(4, &s);
        code(e).before_with(3, Jumps::Skip, &s);
    });
    assert_eq!(code_of(&new), code_of(&old));
}

#[test]
fn entry_runs_once() {
    // A loop back to the first instruction.
    let old = class(49, &[ICONST_0, IFEQ, 0xFF, 0xFF, RETURN]);
    let new = edit_right(&old, |e| {
        let (s, t) = (nops(e, 2), nops(e, 1));
        code(e).at_entry(&s);
        code(e).before(0, &t);
        code(e).at_returns(&s);
    });
    let expected = [NOP, NOP, NOP, ICONST_0, IFEQ, 0xFF, 0xFE, NOP, NOP, RETURN];
    assert_eq!(code_of(&new), expected);
}

#[test]
fn switches_are_padded_where_they_are_now() {
    let mut bytes = vec![ICONST_0, TABLESWITCH, 0, 0];
    // Both ways lead to the return.
    for word in [19, 0, 0, 19] {
        bytes.extend(i32::to_be_bytes(word));
    }
    bytes.extend([RETURN]);
    let old = class(49, &bytes);
    for count in 0..=4 {
        let new = edit_right(&old, |e| {
            let s = nops(e, count);
            code(e).before(0, &s);
        });
        let method = new.methods[0].code.as_ref().expect("code");
        let insns: Vec<_> = new.instructions(method).flatten().collect();
        let (pc, last) = insns[insns.len() - 1];
        assert_eq!(last.opcode, RETURN);
        let Operand::Table(switch) = insns[insns.len() - 2].1.operand else {
            panic!("a switch");
        };
        assert_eq!(switch.default, pc as i32);
        assert!(switch.targets().eq([pc as i32]));
    }
}

/// A class with a frame at the end of [`BRANCH`].
fn with_map(major: u16) -> ClassFile {
    with_method(
        major,
        Body {
            code: BRANCH.to_vec(),
            map: Some((1, vec![6])),
            ..body()
        },
    )
}

#[test]
fn branches_that_do_not_reach_become_long() {
    for old in [class(49, &BRANCH), with_map(52)] {
        let new = edit_right(&old, |e| {
            let s = nops(e, 33_000);
            code(e).before(4, &s);
        });
        // The other condition jumps over a long jump.
        assert_eq!(code_of(&new)[..5], [ICONST_0, IFNE, 0, 8, GOTO_W]);
        let target = u32::from_be_bytes(code_of(&new)[5..9].try_into().expect("four bytes"));
        assert_eq!(code_of(&new)[4 + target as usize], RETURN);
        // 32,767 is the farthest that a short one gets.
        let near = edit_right(&old, |e| {
            let s = nops(e, 32_767 - 5);
            code(e).before(4, &s);
        });
        assert_eq!(code_of(&near)[..4], [ICONST_0, IFEQ, 0x7F, 0xFF]);
    }
    let old = class(49, &[GOTO, 0, 3, JSR, 0, 4, RETURN, ASTORE_0, RET, 0]);
    let new = edit_right(&old, |e| {
        let s = nops(e, 33_000);
        code(e).before_with(3, Jumps::Skip, &s);
        code(e).before(6, &s);
    });
    assert_eq!(code_of(&new)[..6], [GOTO, 0, 3, JSR_W, 0, 0]);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let old = class(49, &BRANCH);
    let fits = edit(&old, |e| {
        let s = nops(e, 65_535 - 7 - 5);
        code(e).before(4, &s);
    });
    assert_eq!(code_of(&fits.expect("it fits")).len(), 65_535);
    let error = edit(&old, |e| {
        let s = nops(e, 65_535 - 7 - 4);
        code(e).before(4, &s);
    });
    let error = error.expect_err("one byte too many");
    assert_eq!(error.kind, EditErrorKind::CodeTooLong { bytes: 65_536 });
    let text = error.to_string();
    assert!(text.contains("class T, method m()V"), "{text}");

    let fill = |last: i32| {
        edit(&old, |e| {
            // Indexes go up to 65,534, and some are taken.
            for value in 0..last {
                e.constants().integer(value + 1000);
            }
            let s = nops(e, 1);
            code(e).at_entry(&s);
        })
    };
    let room = 65_535 - i32::from(old.pool.len());
    let new = fill(room).expect("exactly full");
    assert_eq!(new.pool.len(), 65_535);
    let error = fill(room + 1).expect_err("one too many");
    assert_eq!(error.kind, EditErrorKind::PoolFull);
    assert_eq!(
        error.to_string(),
        "cannot edit class T: its constant pool is full"
    );
    let error = edit(&old, |e| {
        let s = e.snippet().string(&"x".repeat(65_536)).op(POP).done();
        code(e).at_entry(&s);
    });
    assert_eq!(
        error.expect_err("too long").kind,
        EditErrorKind::TextTooLong
    );
}

#[test]
fn constants_are_not_repeated() {
    let old = class(52, &BRANCH);
    let mut edit = ClassEdit::new(&old);
    let constants = edit.constants();
    assert_eq!(constants.class("T"), old.this_class);
    let long = constants.long(7);
    let method = constants.method_ref("a/B", "c", "()V");
    assert_eq!(constants.long(7), long);
    assert_ne!(constants.double(f64::from_bits(7)), long);
    assert_eq!(constants.method_ref("a/B", "c", "()V"), method);
    assert_ne!(constants.interface_method_ref("a/B", "c", "()V"), method);
    // Enough to make the table of entries grow.
    let texts: Vec<u16> = (0..500)
        .map(|i| constants.string(&format!("s{i}")))
        .collect();
    let again: Vec<u16> = (0..500)
        .map(|i| constants.string(&format!("s{i}")))
        .collect();
    assert_eq!(texts, again);
}

#[test]
fn mistakes_in_snippets_are_told() {
    let old = with_map(52);
    let fault = |change: &dyn Fn(&mut ClassEdit<'_>)| {
        let error = edit(&old, |e| change(e)).expect_err("a mistake");
        error.kind
    };
    let bad = EditErrorKind::BadSnippet;
    assert_eq!(
        fault(&|e| {
            let mut s = e.snippet();
            let label = s.label();
            let s = s.branch(GOTO, label).done();
            code(e).before(0, &s);
        }),
        bad("a label is bound nowhere")
    );
    assert_eq!(
        fault(&|e| {
            let s = e.snippet().op(GETSTATIC).done();
            code(e).before(0, &s);
        }),
        bad("an instruction with operands was given without them")
    );
    assert_eq!(
        fault(&|e| {
            let s = e.snippet().original().done();
            code(e).before(0, &s);
        }),
        bad("there is no original instruction here")
    );
    assert_eq!(
        fault(&|e| {
            let s = nops(e, 1);
            code(e).guard(0..7, 0, Nesting::Innermost, &s);
        }),
        bad("a handler runs off its end")
    );
    assert_eq!(
        fault(&|e| {
            let s = nops(e, 1);
            code(e).before(2, &s);
        }),
        EditErrorKind::NoInstruction { pc: 2 }
    );
    assert_eq!(
        fault(&|e| {
            let s = e.snippet().branch_out(GOTO, 3).done();
            code(e).before(0, &s);
        }),
        EditErrorKind::NoInstruction { pc: 3 }
    );
    let mut edit = ClassEdit::new(&old);
    let error = edit.code(7).err().expect("no such method");
    assert_eq!(error.kind, EditErrorKind::NoMethod(7));
}

#[test]
fn instructions_that_nobody_reaches_any_more_keep_their_frames() {
    let old = with_map(52);
    let new = edit_right(&old, |e| {
        let throw = e.snippet().op(ACONST_NULL).op(ATHROW).done();
        code(e).replace(4, &throw);
        code(e).before(6, &throw);
    });
    let expected = [
        ICONST_0,
        IFEQ,
        0,
        6,
        ACONST_NULL,
        ATHROW,
        NOP,
        ACONST_NULL,
        ATHROW,
        RETURN,
    ];
    assert_eq!(code_of(&new), expected);
}

#[test]
fn snippets_may_jump_to_any_instruction() {
    let old = with_map(52);
    edit_right(&old, |e| {
        // Instruction 5 had no frame: nobody jumped there.
        let s = e.snippet().op(ICONST_1).branch_out(IFEQ, 5).done();
        code(e).before(4, &s);
    });
}

/// A handler relies on local 0 being an object; the last instruction that it
/// covers makes it a number.
#[test]
fn what_follows_a_store_is_outside_of_the_range_that_ends_there() {
    let mut asm = asm(52);
    let object = asm.class("java/lang/Object");
    let [high, low] = object.to_be_bytes();
    let throwable = asm.class("java/lang/Throwable");
    asm.body(Body {
        code: vec![
            ACONST_NULL,
            ASTORE_0, // 0
            ICONST_0,
            ISTORE_0, // 2: covered
            RETURN,   // 4
            POP,
            RETURN, // 5: the handler
        ],
        handlers: vec![[2, 4, 5, throwable]],
        map: Some((
            1,
            [
                &[255, 0, 5, 0, 1, 7, high, low, 0, 1, 7][..],
                &throwable.to_be_bytes(),
            ]
            .concat(),
        )),
        ..body()
    });
    let old = parse(asm.finish().into());
    assert_verifies(&old);
    edit_right(&old, |e| {
        let s = nops(e, 1);
        code(e).after(3, &s);
        code(e).before(2, &s);
        code(e).before(4, &s);
    });
}

#[test]
fn a_synchronized_method_locks_by_itself() {
    for major in [46, 49, 52] {
        for fixed in [access::STATIC, 0] {
            for overwritten in [false, true] {
                let mut bytes = vec![NOP, NOP];
                if overwritten {
                    bytes = vec![ACONST_NULL, ASTORE_0];
                }
                bytes.extend([ICONST_0, IFEQ, 0, 4, RETURN, RETURN]);
                let mut map = Some((1, vec![7]));
                if overwritten && fixed == 0 {
                    // No locals: a null is no `T` that a frame would name.
                    map = Some((1, vec![250, 0, 7]));
                }
                let old = with_method(
                    major,
                    Body {
                        access: access::SYNCHRONIZED | fixed,
                        code: bytes,
                        map: map.filter(|_| major >= 50),
                        ..body()
                    },
                );
                assert_verifies(&old);
                let new = edit_right(&old, |e| {
                    let enter = e.snippet().op(MONITORENTER).done();
                    let exit = e.snippet().op(MONITOREXIT).done();
                    e.desynchronize(0, &enter, &exit).expect("code");
                });
                let method = &new.methods[0];
                assert_eq!(method.access & access::SYNCHRONIZED, 0);
                let found = code_of(&new);
                let count = |op| found.iter().filter(|&&b| b == op).count();
                assert_eq!((count(MONITORENTER), count(MONITOREXIT)), (1, 3));
                // One range up to each return; nothing lies between them.
                let handlers = &method.code.as_ref().expect("code").handlers;
                assert_eq!(handlers.len(), 1, "{handlers:?}");
                assert_eq!(found[usize::from(handlers[0].start) - 1], MONITORENTER);
            }
        }
    }
}

#[test]
fn an_empty_body_needs_no_handler() {
    let old = with_method(
        52,
        Body {
            access: access::SYNCHRONIZED | access::STATIC,
            code: vec![RETURN],
            ..body()
        },
    );
    let new = edit_right(&old, |e| {
        let enter = e.snippet().op(MONITORENTER).done();
        let exit = e.snippet().op(MONITOREXIT).done();
        e.desynchronize(0, &enter, &exit).expect("code");
    });
    assert!(
        new.methods[0]
            .code
            .as_ref()
            .expect("code")
            .handlers
            .is_empty()
    );
}

#[test]
fn members_are_added_and_wrapped() {
    let old = with_map(52);
    let new = edit_right(&old, |e| {
        e.add_field(access::PRIVATE | access::STATIC, "counter", "J");
        e.add_interface("java/lang/Cloneable");
        e.add_interface("java/io/Serializable");
        e.add_attribute("heddle.Edited", vec![1, 2, 3]);
        e.add_method_attribute(0, "Synthetic", Vec::new());
        let inner = e
            .snippet()
            .invoke_static("T", "inner", "()V")
            .op(RETURN)
            .done();
        e.wrap_method(0, "inner", &inner);
        // A loop with a variable: frames in a new method.
        let mut s = e.snippet();
        let (start, end) = (s.label(), s.label());
        s.int(10).store(Kind::Int, 3).bind(start);
        s.load(Kind::Int, 3).branch(IFEQ, end);
        s.increment(3, -1).branch(GOTO, start);
        let body = s.bind(end).load(Kind::Reference, 0).op(ARETURN).done();
        e.add_method(NewMethod {
            access: access::PUBLIC,
            name: b"self".to_vec(),
            desc: b"(J)Ljava/lang/Object;".to_vec(),
            body: Some(body),
        });
        let s = nops(e, 1);
        code(e).before(6, &s);
    });
    let names: Vec<&[u8]> = new.methods.iter().map(|m| new.pool.utf8(m.name)).collect();
    assert_eq!(names, [&b"inner"[..], b"m", b"self"]);
    assert_eq!(
        new.methods[0].access,
        access::PRIVATE | access::STATIC | access::SYNTHETIC
    );
    assert_eq!(
        new.methods[1].access,
        access::PUBLIC | access::STATIC | access::SYNTHETIC
    );
    assert_eq!(code_of(&new).len(), BRANCH.len() + 1);
    let limits = new.methods[2].code.as_ref().expect("code");
    assert_eq!((limits.max_stack, limits.max_locals), (1, 4));
    assert_eq!(new.interfaces.len(), 2);
    assert_eq!(new.fields.len(), 2);
}

#[test]
fn lines_start_where_asked() {
    let Some(class) = with_lines() else {
        panic!("the JDK has lines")
    };
    for start in [LineStart::Inserted, LineStart::Instruction] {
        let code = class.methods[0].code.as_ref().expect("code");
        let (pc, line) = class.line_numbers(code).nth(1).expect("a second line");
        let new = edit(&class, |e| {
            let s = nops(e, 2);
            let code = e.code(0).expect("code");
            code.before(pc.into(), &s);
            code.set_line_start(start);
        });
        let new = new.expect("two bytes fit");
        let code = new.methods[0].code.as_ref().expect("code");
        let place = new.line_numbers(code).find(|l| l.1 == line).expect("it").0;
        let moved = if start == LineStart::Inserted { 0 } else { 2 };
        assert_eq!(place, pc + moved);
    }
}

/// A class whose first method has several lines.
fn with_lines() -> Option<ClassFile> {
    let image = common::image();
    let classes = common::classes(&image).into_iter();
    classes.map(|c| parse(ClassBytes::Static(c.2))).find(|c| {
        let code = c.methods.first().and_then(|m| m.code.as_ref());
        code.is_some_and(|code| {
            let lines: Vec<_> = c.line_numbers(code).collect();
            lines.len() > 2 && lines.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1)
        })
    })
}

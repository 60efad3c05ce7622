//! A generated program: a tree of statements of which any can be left out.

use std::collections::HashSet;
use std::fmt::Write;

use super::writer::Writer;

/// A statement: text with nested bodies. Its id is its place in the program.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub id: usize,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    Body(Vec<Stmt>),
}

/// A method, or any other piece with a fixed head and tail.
#[derive(Clone, Debug)]
pub struct Method {
    pub head: String,
    pub body: Vec<Stmt>,
    pub tail: String,
}

/// One generated program.
#[derive(Clone, Debug)]
pub struct Program {
    pub class: String,
    pub prelude: String,
    pub methods: Vec<Method>,
    /// How many statements the program has in total.
    pub statements: usize,
}

impl Program {
    pub fn generate(seed: u64) -> Program {
        Writer::new(seed).program()
    }

    /// The source without the deleted statements.
    pub fn render(&self, deleted: &HashSet<usize>) -> String {
        let mut text = self.prelude.clone();
        for method in &self.methods {
            let _ = writeln!(text, "\n    {}", method.head);
            render(&method.body, 2, deleted, &mut text);
            let _ = writeln!(text, "        {}\n    }}", method.tail);
        }
        text.push_str("}\n");
        text
    }

    /// The ids of a statement and of everything inside it, largest group first.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        fn collect(body: &[Stmt], groups: &mut Vec<Vec<usize>>) -> Vec<usize> {
            let mut all = Vec::new();
            for stmt in body {
                let mut own = vec![stmt.id];
                for part in &stmt.parts {
                    if let Part::Body(inner) = part {
                        own.extend(collect(inner, groups));
                    }
                }
                all.extend(&own);
                groups.push(own);
            }
            all
        }
        let mut groups = Vec::new();
        for method in &self.methods {
            let whole = collect(&method.body, &mut groups);
            groups.push(whole);
        }
        groups.sort_by_key(|g| std::cmp::Reverse(g.len()));
        groups
    }
}

fn render(body: &[Stmt], indent: usize, deleted: &HashSet<usize>, text: &mut String) {
    for stmt in body.iter().filter(|s| !deleted.contains(&s.id)) {
        for part in &stmt.parts {
            match part {
                Part::Text(line) => {
                    let _ = writeln!(text, "{}{line}", "    ".repeat(indent));
                }
                Part::Body(inner) => render(inner, indent + 1, deleted, text),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_program() {
        let none = HashSet::new();
        assert_eq!(
            Program::generate(7).render(&none),
            Program::generate(7).render(&none)
        );
        assert_ne!(
            Program::generate(7).render(&none),
            Program::generate(8).render(&none)
        );
    }

    #[test]
    fn deleting_everything_leaves_the_frame() {
        let program = Program::generate(3);
        let all: HashSet<usize> = (0..=program.statements).collect();
        let text = program.render(&all);
        assert!(
            text.contains("static void run()")
                && text.len() < program.render(&HashSet::new()).len()
        );
    }
}

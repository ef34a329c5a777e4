// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reference pages: a book that builds without a network, with every page in it and no link into nothing.
#![cfg(feature = "rtl")]

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use gpu_lsu::{
    clause::{Clause, Page},
    cosim::{
        capsule::Capsule,
        stimulus::{self, BLOCK},
    },
    judge::{Field, Mismatch, Promises, Site},
    op::Shape,
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

/// Pages of docs/, and what they link to.
fn pages() -> Vec<(String, String)> {
    let names = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".md"));
    names.map(|name| (name.clone(), read(format!("docs/{name}")))).collect()
}

fn links(text: &str) -> Vec<&str> {
    text.match_indices("](").filter_map(|(at, _)| text[at + 2..].split(')').next()).collect()
}

#[test]
fn the_book_has_every_page() {
    let ran = Command::new(root().join("scripts/book")).env("http_proxy", "http://127.0.0.1:1").output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let summary = read("docs/SUMMARY.md");
    let listed: BTreeSet<&str> = links(&summary).into_iter().collect();
    let pages = pages();
    let there: BTreeSet<&str> =
        pages.iter().map(|(name, _)| name.as_str()).filter(|name| *name != "SUMMARY.md").collect();
    assert_eq!(listed, there);
    assert!(there.len() > 10);
    for page in there {
        let html = read(format!("target/book/html/{}", page.replace(".md", ".html")));
        let title = read(format!("docs/{page}")).lines().next().unwrap().trim_start_matches("# ").to_owned();
        let plain = title.split('`').next().unwrap().trim_end();
        assert!(html.contains("<main>") && html.contains(plain), "{page}: {title}");
    }
}

/// docs/clauses.md: src/clause.rs as tables.
fn clauses() -> String {
    let pages = [
        (Page::Common, "Every instruction set"),
        (Page::Ports, "The unit's ports"),
        (Page::Spa5, "SPA 5.0 (Maxwell): `LD` and `ST`"),
        (Page::R700, "ATI R700: memory writes and reads"),
        (Page::Ptx, "PTX: `st`"),
        (Page::Sm5, "Direct3D shader model 5: `atomic_cmp_store`"),
    ];
    let mut text = "# Clauses\n\nEvery rule has an id, by which reports, coverage, capsules and contracts name it. The list is \
                    `src/clause.rs`.\n[Choices](choices.md) has what was decided where the sources of a rule are silent.\n"
        .to_owned();
    text += "
## Terms

| term | meaning |
|---|---|
| helper lane | a lane that executes only for its neighbours, as a pixel outside of the triangle: it loads, but does not store |
| bin | one of the cases that coverage tells apart for a clause, such as a size or one side of a bound |
| block | 256 operations of a campaign, after a reset, with control registers, memory and stalls of their own |
| directed stream | a block that is made for one purpose, without stalls: to measure a rate, or who waits for whom |
| group | lanes of an operation, or of one GPR of a burst, that make requests together |
| pair | the exclusive read and the exclusive write of a compare-and-store in one line, with one id |
| history | the steps of all that access one dword, which some order of single steps must explain |
";
    for (page, title) in pages {
        text += &format!("\n## {title}\n\n| id | rule |\n|---|---|\n");
        let of_page = Clause::ALL.iter().filter(|clause| clause.page() == page);
        text.extend(of_page.map(|clause| format!("| `{clause}` | {} |\n", clause.text().replace('|', "\\|"))));
    }
    text
}

#[test]
fn every_clause_is_on_its_page() {
    let (path, made) = (root().join("docs/clauses.md"), clauses());
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, &made).unwrap();
    }
    let remedy = "INSTA_UPDATE=always cargo test --release --test book every_clause";
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == made, "docs/clauses.md is stale: `{remedy}` writes it anew");
    assert!(Clause::ALL.iter().all(|clause| made.contains(&format!("| `{clause}` | "))));
}

/// The README and `scripts/setup` ask for the Rust that Cargo.toml needs.
#[test]
fn the_version_of_rust_is_said() {
    let needed = env!("CARGO_PKG_RUST_VERSION");
    assert!(read("README.md").contains(&format!("with Rust {needed} or newer")), "{needed}");
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    for (name, text) in pages().into_iter().chain([("../README.md".to_owned(), read("README.md"))]) {
        for link in links(&text).into_iter().filter(|link| !link.contains("://") && !link.contains(' ')) {
            let path = link.split('#').next().unwrap();
            let to = root().join("docs").join(&name).parent().unwrap().join(path);
            assert!(path.is_empty() || to.exists(), "{name}: {link}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// Every key of a capsule is told.
#[test]
fn a_capsule_is_told_whole() {
    let shape = Shape::with_lanes(4);
    let mut told = BTreeSet::new();
    for number in 0..8 {
        let case = stimulus::block(None, 1, number, &shape, BLOCK).case;
        let mismatch = Mismatch::new(gpu_lsu::clause::Clause::PortReq, Some(0), Field::event(Site::Unit, "nothing"));
        let capsule = Capsule { seed: 1, block: number, case, mismatch, rtl: None, promises: Promises::OURS };
        let table: toml::Table = toml::from_str(&capsule.to_text()).unwrap();
        told.extend(table.keys().cloned());
        for part in ["schedule", "mismatch"] {
            told.extend(table[part].as_table().unwrap().keys().cloned());
        }
        told.extend(table["issue"][0].as_table().unwrap().keys().cloned());
    }
    let page = read("docs/capsule.md");
    let missing: Vec<_> = told.iter().filter(|key| !page.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(told.len() > 20, "{told:?}");
}

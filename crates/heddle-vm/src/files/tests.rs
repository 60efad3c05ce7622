//! The overlay against a directory of the host.

use super::*;
use std::path::Path;

/// A directory that goes away with its content.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("heddle-files-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn write(files: &mut Files, path: &str, content: &str) {
    let flags = flags::WRITE_ONLY | flags::CREATE | flags::TRUNCATE;
    let fd = files.open(path.as_bytes(), flags, 0o644).unwrap();
    assert_eq!(files.write(fd, content.as_bytes()), Ok(content.len()));
    files.close(fd).unwrap();
}

fn read(files: &mut Files, path: &str) -> Answer<String> {
    let fd = files.open(path.as_bytes(), 0, 0)?;
    let mut buffer = [0; 100];
    let count = files.read(fd, &mut buffer)?;
    files.close(fd)?;
    Ok(String::from_utf8_lossy(&buffer[..count]).into_owned())
}

fn names(files: &Files, path: &str) -> Vec<String> {
    let names = files.list(path.as_bytes()).unwrap();
    let mut names: Vec<_> = names
        .into_iter()
        .map(|n| String::from_utf8_lossy(&n).into_owned())
        .collect();
    names.sort();
    names
}

fn host_names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(path)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn through_mode_changes_the_host() {
    let dir = Scratch::new("through");
    let mut files = Files::new(dir.0.clone());
    write(&mut files, "a", "one");
    files.mkdir(b"d", 0o777).unwrap();
    files.rename(b"a", b"d/b").unwrap();
    assert_eq!(std::fs::read_to_string(dir.0.join("d/b")).unwrap(), "one");
    let append = flags::WRITE_ONLY | flags::APPEND;
    let fd = files.open(b"d/b", append, 0).unwrap();
    files.write(fd, b" two").unwrap();
    files.close(fd).unwrap();
    assert_eq!(read(&mut files, "d/b").unwrap(), "one two");
    files.unlink(b"d/b").unwrap();
    files.rmdir(b"d").unwrap();
    assert!(host_names(&dir.0).is_empty());
    assert_eq!(files.rmdir(b"d"), Err(Errno::NOENT));
}

#[test]
fn nothing_reaches_the_host_from_the_overlay() {
    let dir = Scratch::new("inside");
    std::fs::write(dir.0.join("kept"), "host").unwrap();
    std::fs::create_dir(dir.0.join("sub")).unwrap();
    std::fs::write(dir.0.join("sub/x"), "x").unwrap();
    let mut files = Files::new(dir.0.clone());
    files.keep_inside();
    write(&mut files, "kept", "changed");
    write(&mut files, "new", "new");
    files.rename(b"sub", b"moved").unwrap();
    write(&mut files, "moved/y", "y");
    files.symlink(b"moved/x", b"link").unwrap();
    files.link(b"kept", b"second").unwrap();
    files.chmod(b"kept", 0o600).unwrap();
    assert_eq!(read(&mut files, "kept").unwrap(), "changed");
    assert_eq!(read(&mut files, "second").unwrap(), "changed");
    assert_eq!(read(&mut files, "link").unwrap(), "x");
    assert_eq!(read(&mut files, "moved/../moved/x").unwrap(), "x");
    assert_eq!(read(&mut files, "sub/x"), Err(Errno::NOENT));
    assert_eq!(files.stat(b"second", true).unwrap().mode & 0o777, 0o600);
    assert_eq!(files.stat(b"second", true).unwrap().nlink, 2);
    assert_eq!(
        names(&files, "."),
        ["kept", "link", "moved", "new", "second"]
    );
    assert_eq!(names(&files, "moved"), ["x", "y"]);
    assert_eq!(files.rmdir(b"moved"), Err(Errno::NOTEMPTY));
    assert_eq!(files.rename(b"moved", b"moved/inner"), Err(Errno::INVAL));
    let real = files.realpath(b"link").unwrap();
    assert_eq!(
        host::path(&real),
        dir.0.canonicalize().unwrap().join("moved/x")
    );
    files.unlink(b"moved/x").unwrap();
    files.unlink(b"moved/y").unwrap();
    files.rmdir(b"moved").unwrap();
    files.mkdir(b"sub", 0o755).unwrap();
    assert_eq!(names(&files, "sub"), [""; 0]);

    assert_eq!(host_names(&dir.0), ["kept", "sub"]);
    assert_eq!(std::fs::read_to_string(dir.0.join("kept")).unwrap(), "host");
    assert_eq!(std::fs::read_to_string(dir.0.join("sub/x")).unwrap(), "x");
}

#[test]
fn a_copy_put_back_restores_contents_positions_and_names() {
    let dir = Scratch::new("rewind");
    std::fs::write(dir.0.join("data"), "0123456789").unwrap();
    let mut files = Files::new(dir.0.clone());
    let reader = files.open(b"data", 0, 0).unwrap();
    let writer = files.open(b"data", flags::READ_WRITE, 0).unwrap();
    let mut two = [0; 2];
    files.read(reader, &mut two).unwrap();
    files.write(writer, b"ab").unwrap();
    assert_eq!(
        std::fs::read_to_string(dir.0.join("data")).unwrap(),
        "ab23456789"
    );

    files.keep_inside();
    let saved = files.clone();
    for _ in 0..2 {
        let mut files = saved.clone();
        files.write(writer, b"cd").unwrap();
        files.read(reader, &mut two).unwrap();
        assert_eq!(&two, b"cd");
        files.set_len(writer, 5).unwrap();
        assert_eq!(files.size(reader), Ok(5));
        files.rename(b"data", b"other").unwrap();
        files.unlink(b"other").unwrap();
        assert_eq!(read(&mut files, "data"), Err(Errno::NOENT));
        files.read(reader, &mut two).unwrap();
        assert_eq!(two[0], b'4');
        let fresh = files
            .open(b"data", flags::WRITE_ONLY | flags::CREATE, 0o644)
            .unwrap();
        assert_eq!(fresh, 5);
        files.close(reader).unwrap();
    }
    let mut files = saved;
    files.read(reader, &mut two).unwrap();
    assert_eq!(&two, b"23");
    assert_eq!(read(&mut files, "data").unwrap(), "ab23456789");
    assert_eq!(
        std::fs::read_to_string(dir.0.join("data")).unwrap(),
        "ab23456789"
    );
}

#[test]
fn appending_in_the_overlay_goes_to_the_end() {
    let dir = Scratch::new("append");
    std::fs::write(dir.0.join("log"), "first\n").unwrap();
    let mut files = Files::new(dir.0.clone());
    files.keep_inside();
    let fd = files
        .open(b"log", flags::WRITE_ONLY | flags::APPEND, 0)
        .unwrap();
    let other = files
        .open(b"log", flags::WRITE_ONLY | flags::APPEND, 0)
        .unwrap();
    files.write(fd, b"second\n").unwrap();
    files.write(other, b"third\n").unwrap();
    assert_eq!(read(&mut files, "log").unwrap(), "first\nsecond\nthird\n");
    assert_eq!(
        std::fs::read_to_string(dir.0.join("log")).unwrap(),
        "first\n"
    );
}

#[test]
fn an_unlinked_file_lives_as_long_as_it_is_open() {
    let dir = Scratch::new("unlinked");
    let mut files = Files::new(dir.0.clone());
    files.keep_inside();
    write(&mut files, "t", "temporary");
    let fd = files.open(b"t", 0, 0).unwrap();
    files.unlink(b"t").unwrap();
    let mut buffer = [0; 9];
    assert_eq!(files.read(fd, &mut buffer), Ok(9));
    assert_eq!(&buffer, b"temporary");
    assert_eq!(files.fstat(fd).unwrap().nlink, 0);
    assert_eq!(files.list(b".").unwrap().len(), 0);
}

#[test]
fn errors_are_those_of_the_host() {
    let dir = Scratch::new("errors");
    std::fs::write(dir.0.join("file"), "").unwrap();
    std::os::unix::fs::symlink("loop", dir.0.join("loop")).unwrap();
    let host = Files::new(dir.0.clone());
    let mut inside = host.clone();
    inside.keep_inside();
    for files in [host, inside] {
        let mut files = files;
        assert_eq!(read(&mut files, "file/x"), Err(Errno::NOTDIR));
        assert_eq!(read(&mut files, "missing/x"), Err(Errno::NOENT));
        assert_eq!(read(&mut files, ""), Err(Errno::NOENT));
        assert_eq!(read(&mut files, "loop"), Err(Errno::LOOP));
        assert_eq!(read(&mut files, "."), Err(Errno::ISDIR));
        assert_eq!(files.mkdir(b"file", 0o777), Err(Errno::EXIST));
        assert_eq!(files.unlink(b"."), Err(Errno::ISDIR));
        assert_eq!(files.rmdir(b"file"), Err(Errno::NOTDIR));
        assert_eq!(files.readlink(b"file"), Err(Errno::INVAL));
        let create = flags::WRITE_ONLY | flags::CREATE | flags::EXCLUSIVE;
        assert_eq!(files.open(b"file", create, 0o644), Err(Errno::EXIST));
        assert_eq!(files.open(b".", flags::WRITE_ONLY, 0), Err(Errno::ISDIR));
        assert_eq!(files.close(77), Err(Errno::BADF));
    }
}

#[test]
fn standard_input_is_read_again_at_an_older_position() {
    let mut input = Input::given(b"line one\nline two\n".to_vec());
    let mut buffer = [0; 8];
    assert_eq!(input.read_at(0, &mut buffer), Ok(8));
    assert_eq!(input.read_at(9, &mut buffer), Ok(8));
    assert_eq!(&buffer, b"line two");
    assert_eq!(input.read_at(5, &mut buffer), Ok(8));
    assert_eq!(&buffer, b"one\nline");
    assert_eq!(input.read_at(18, &mut buffer), Ok(0));
}

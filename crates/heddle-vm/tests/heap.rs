//! The heap's log: whatever was written since a position comes back.

use heddle_vm::heap::{ELEMENTS, Heap, Ref, Region, Shape, mix};

/// A heap with neighbouring arrays of longs, of sizes around the limits of the log.
fn arrays() -> (Heap, Region, Vec<Ref>) {
    let mut heap = Heap::new(64 << 20).expect("memory");
    let class = heap.add_shape(Shape::Array(3), 128);
    let mut region = Region::default();
    let lengths = [
        1, 5, 61, 62, 63, 64, 65, 93, 94, 95, 96, 127, 128, 1000, 40_000,
    ];
    let arrays = lengths.map(|length: u32| {
        let size = ELEMENTS + u64::from(length) * 8;
        heap.allocate(&mut region, class, size, length)
            .expect("room")
    });
    (heap, region, arrays.to_vec())
}

fn contents(heap: &Heap, arrays: &[Ref]) -> Vec<Vec<u8>> {
    arrays
        .iter()
        .map(|array| heap.array_bytes(*array).to_vec())
        .collect()
}

fn scribble(heap: &mut Heap, arrays: &[Ref], seed: u64) {
    for i in 0..2000 {
        let random = mix(seed ^ i << 20);
        let array = arrays[random as usize % arrays.len()];
        let index = (random >> 8) % u64::from(heap.length(array));
        heap.put(array, ELEMENTS + index * 8, random);
        if random & 0xf0 == 0 {
            let bytes = [random as u8; 700];
            let len = heap.element_bytes(array).min(bytes.len());
            heap.write_bytes(array, ELEMENTS, &bytes[..len]);
        }
        if random & 0xf00 == 0 {
            heap.set_lock_word(array, random as u32);
        }
    }
}

#[test]
fn nested_positions_come_back_in_any_order() {
    let (mut heap, _, arrays) = arrays();
    scribble(&mut heap, &arrays, 1);
    let mut marks = Vec::new();
    for round in 0..300u64 {
        let random = mix(round);
        if marks.len() < 5 && !random.is_multiple_of(3) {
            marks.push((heap.position(), contents(&heap, &arrays)));
            heap.next_epoch();
        } else if !marks.is_empty() {
            marks.truncate(1 + (random >> 8) as usize % marks.len());
            let (position, expected) = &marks[marks.len() - 1];
            heap.undo(*position);
            heap.next_epoch();
            assert_eq!(&contents(&heap, &arrays), expected, "round {round}");
        }
        scribble(&mut heap, &arrays, round + 7);
    }
}

#[test]
fn the_same_line_is_logged_once() {
    let (mut heap, _, arrays) = arrays();
    let large = arrays[arrays.len() - 1];
    let before = contents(&heap, &arrays);
    let position = heap.position();
    heap.next_epoch();
    for i in 0..1_000_000u64 {
        heap.put(large, ELEMENTS + i % 500 * 8, i);
    }
    // 500 words in 16 lines, each with a trailer, and no more.
    assert!(heap.logged_words() < 16 * 33 + 1, "{}", heap.logged_words());
    heap.undo(position);
    assert_eq!(contents(&heap, &arrays), before);
}

#[test]
fn epochs_can_start_again() {
    let (mut heap, region, arrays) = arrays();
    scribble(&mut heap, &arrays, 3);
    let outer = (heap.position(), contents(&heap, &arrays));
    heap.next_epoch();
    scribble(&mut heap, &arrays, 4);
    heap.renumber_epochs(&[region]);
    heap.next_epoch();
    let inner = (heap.position(), contents(&heap, &arrays));
    heap.next_epoch();
    scribble(&mut heap, &arrays, 5);
    heap.undo(inner.0);
    assert_eq!(contents(&heap, &arrays), inner.1);
    heap.next_epoch();
    scribble(&mut heap, &arrays, 6);
    heap.undo(outer.0);
    assert_eq!(contents(&heap, &arrays), outer.1);
}

import java.util.*;
import java.util.random.*;

/** Seeded random generators give the same numbers everywhere. */
public class B02Random {
    public static void main(String[] args) {
        Random r = new Random(42);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " " + r.nextDouble() + " " + r.nextFloat() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextGaussian() + " " + r.nextInt(5, 10));
        byte[] b = new byte[10];
        r.nextBytes(b);
        System.out.println(Arrays.toString(b) + r.ints(5, 0, 10).boxed().toList() + r.doubles(2).boxed().toList());
        SplittableRandom s = new SplittableRandom(7);
        System.out.println(s.nextInt() + " " + s.nextLong(1000) + " " + s.split().nextInt(50) + " " + s.nextDouble() + s.ints(3, 0, 9).boxed().toList());
        for (String name : new String[] {"L64X128MixRandom", "Xoshiro256PlusPlus", "Xoroshiro128PlusPlus", "L32X64MixRandom", "SplittableRandom", "Random"}) {
            RandomGenerator g = RandomGeneratorFactory.of(name).create(99);
            System.out.println(name + " " + g.nextInt() + " " + g.nextLong() + " " + g.nextDouble() + " " + g.nextInt(3, 8));
        }
        int[] histogram = new int[10];
        Random h = new Random(5);
        for (int i = 0; i < 10000; i++) histogram[h.nextInt(10)]++;
        System.out.println(Arrays.toString(histogram));
        List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
        Collections.shuffle(l, new Random(3));
        System.out.println(l);
        try {
            r.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new UUID(1, 2) + " " + UUID.nameUUIDFromBytes("x".getBytes()) + " " + UUID.fromString("123e4567-e89b-12d3-a456-426614174000").version());
    }
}

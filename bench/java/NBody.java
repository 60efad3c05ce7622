/** Doubles: five bodies attracted to each other, symplectic steps. */
public class NBody {
    static final class Body {
        double x, y, z, vx, vy, vz, mass;

        Body(double x, double y, double z, double vx, double vy, double vz, double mass) {
            this.x = x;
            this.y = y;
            this.z = z;
            this.vx = vx;
            this.vy = vy;
            this.vz = vz;
            this.mass = mass;
        }
    }

    static double energy(Body[] all) {
        double e = 0;
        for (int i = 0; i < all.length; i++) {
            Body b = all[i];
            e += 0.5 * b.mass * (b.vx * b.vx + b.vy * b.vy + b.vz * b.vz);
            for (int j = i + 1; j < all.length; j++) {
                Body o = all[j];
                double dx = b.x - o.x, dy = b.y - o.y, dz = b.z - o.z;
                e -= b.mass * o.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
            }
        }
        return e;
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 900_000;
        Body[] all = {
            new Body(0, 0, 0, 0, 0, 0, 40),
            new Body(5, 1, 0.1, 0.6, 2.7, 0.02, 0.04),
            new Body(8, 4, -0.4, -1.0, 1.8, 0.01, 0.01),
            new Body(13, -15, -0.2, 1.1, 0.9, -0.01, 0.002),
            new Body(15, -25, 0.2, 0.9, 0.6, -0.03, 0.002)};
        System.out.println(energy(all));
        for (int n = 0; n < scale; n++) {
            for (int i = 0; i < all.length; i++) {
                Body b = all[i];
                for (int j = i + 1; j < all.length; j++) {
                    Body o = all[j];
                    double dx = b.x - o.x, dy = b.y - o.y, dz = b.z - o.z;
                    double d2 = dx * dx + dy * dy + dz * dz;
                    double m = 0.001 / (d2 * Math.sqrt(d2));
                    b.vx -= dx * o.mass * m;
                    b.vy -= dy * o.mass * m;
                    b.vz -= dz * o.mass * m;
                    o.vx += dx * b.mass * m;
                    o.vy += dy * b.mass * m;
                    o.vz += dz * b.mass * m;
                }
            }
            for (Body b : all) {
                b.x += 0.001 * b.vx;
                b.y += 0.001 * b.vy;
                b.z += 0.001 * b.vz;
            }
        }
        System.out.println(energy(all));
    }
}

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** Figures of memory, without the names of pools and collectors, which differ between machines. */
public class BMemory {
    static byte[][] kept = new byte[64][];

    public static void main(String[] args) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        MemoryUsage before = memory.getHeapMemoryUsage();
        System.out.println(inOrder(before));
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new byte[1 << 18];
        }
        MemoryUsage after = memory.getHeapMemoryUsage();
        System.out.println(inOrder(after));
        System.out.println(after.getUsed() - before.getUsed() >= 1 << 23);
        System.out.println(after.getMax() == Runtime.getRuntime().maxMemory());
        System.out.println(inOrder(memory.getNonHeapMemoryUsage()));
        System.out.println(memory.getNonHeapMemoryUsage().getUsed() > 0);
        System.out.println(memory.getObjectPendingFinalizationCount());
        System.out.println(memory.isVerbose());

        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                used += pool.getUsage().getUsed();
                if (pool.getPeakUsage().getUsed() < pool.getUsage().getUsed()) {
                    System.out.println("more than ever in " + pool.getName());
                }
            }
        }
        System.out.println(used > 1 << 23);
        ManagementFactory.getGarbageCollectorMXBeans().forEach(collector -> {
            if (collector.getCollectionCount() < 0 || collector.getCollectionTime() < 0) {
                System.out.println("no figures of " + collector.getName());
            }
        });
    }

    static boolean inOrder(MemoryUsage usage) {
        boolean fits = usage.getMax() == -1 || usage.getCommitted() <= usage.getMax();
        return usage.getUsed() <= usage.getCommitted() && fits;
    }
}

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.RuntimeMXBean;

/** What the virtual machine and the machine below it say of themselves. */
public class BRuntime {
    public static void main(String[] args) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        System.out.println(runtime.getName().matches("\\d+@.+"));
        System.out.println(runtime.getName().startsWith(runtime.getPid() + "@"));
        System.out.println(runtime.getPid() == ProcessHandle.current().pid());
        System.out.println(runtime.getVmName().equals(System.getProperty("java.vm.name")));
        System.out.println(runtime.getVmVendor().equals(System.getProperty("java.vm.vendor")));
        System.out.println(runtime.getVmVersion().equals(System.getProperty("java.vm.version")));
        System.out.println(runtime.getSpecName() + ", " + runtime.getSpecVersion());
        System.out.println(runtime.getSpecVendor());
        System.out.println(runtime.getManagementSpecVersion());
        System.out.println(runtime.getInputArguments());
        System.out.println(runtime.getClassPath().equals(System.getProperty("java.class.path")));
        System.out.println(runtime.getLibraryPath() != null);
        System.out.println(runtime.isBootClassPathSupported());
        System.out.println(runtime.getSystemProperties().get("answer"));
        System.out.println(runtime.getUptime() >= 0);
        long now = System.currentTimeMillis();
        System.out.println(runtime.getStartTime() > 0 && runtime.getStartTime() <= now);
        System.out.println(runtime.getObjectName());

        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        int before = classes.getLoadedClassCount();
        new Late().touch();
        System.out.println(classes.getLoadedClassCount() > before);
        System.out.println(classes.getTotalLoadedClassCount() >= classes.getLoadedClassCount());
        System.out.println(classes.getUnloadedClassCount());
        System.out.println(classes.isVerbose());

        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        System.out.println(system.getName() + " " + system.getArch());
        System.out.println(system.getVersion().equals(System.getProperty("os.version")));
        int processors = Runtime.getRuntime().availableProcessors();
        System.out.println(system.getAvailableProcessors() == processors);
        System.out.println(system.getSystemLoadAverage() >= 0);
        var more = (com.sun.management.UnixOperatingSystemMXBean) system;
        System.out.println(more.getTotalMemorySize() > 0);
        System.out.println(more.getFreeMemorySize() <= more.getTotalMemorySize());
        System.out.println(more.getFreeSwapSpaceSize() <= more.getTotalSwapSpaceSize());
        System.out.println(more.getCommittedVirtualMemorySize() > 0);
        System.out.println(more.getProcessCpuTime() > 0);
        System.out.println(more.getProcessCpuLoad() <= 1);
        System.out.println(more.getCpuLoad() <= 1);
        System.out.println(more.getOpenFileDescriptorCount() > 0);
        System.out.println(more.getMaxFileDescriptorCount() >= more.getOpenFileDescriptorCount());
    }

    static class Late {
        void touch() {
        }
    }
}

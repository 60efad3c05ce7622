package app;

import java.util.jar.*;

/** -jar with a Class-Path, a multi-release library, resources and package information. */
public class B02Jar {
    public static void main(String[] args) throws Exception {
        System.out.println(lib.Version.text() + " " + args.length + args[0]);
        System.out.println(new String(B02Jar.class.getResourceAsStream("/data.txt").readAllBytes()).trim() + " " + new String(B02Jar.class.getResourceAsStream("/lib/lib.txt").readAllBytes()).trim());
        System.out.println(B02Jar.class.getPackage().getImplementationTitle() + B02Jar.class.getPackage().getImplementationVersion() + lib.Version.class.getPackage().getImplementationTitle());
        System.out.println(B02Jar.class.getResource("/data.txt").getProtocol() + " " + System.getProperty("java.class.path"));
        System.out.println(B02Jar.class.getResource("/data.txt").toString().endsWith("app.jar!/data.txt") + " " + B02Jar.class.getResource("/none"));
        try {
            System.out.println(Class.forName("lib.OnlyInNew").getName());
            Class.forName("lib.NoSuch");
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
        try (JarFile j = new JarFile(System.getProperty("java.class.path"))) {
            System.out.println(j.getManifest().getMainAttributes().getValue("Class-Path") + j.isMultiRelease() + j.stream().filter(e -> e.getName().endsWith(".class")).count());
        }
        try (JarFile j = new JarFile(new java.io.File("../classes/libs/lib.jar"), true, java.util.zip.ZipFile.OPEN_READ, Runtime.Version.parse("17"))) {
            System.out.println(j.isMultiRelease() + " " + j.getJarEntry("lib/Version.class").getRealName() + j.versionedStream().filter(e -> !e.isDirectory()).count());
        }
        throw new IllegalStateException("end of the jar");
    }
}

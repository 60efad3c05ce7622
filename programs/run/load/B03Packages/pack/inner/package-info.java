@Deprecated
package pack.inner;

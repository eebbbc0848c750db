/** The version of Lanyard that this page was built of. */
declare const __LANYARD_VERSION__: string;

interface Window {
  /** In the desktop app's window: what its preload gives. */
  readonly lanyard?: import('../main/contract/ui/page-bridge.ts').PageBridge;
}

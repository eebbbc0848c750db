/** The version of Lanyard that this page was built from. */
declare const __LANYARD_VERSION__: string;

interface Window {
  /** The preload's bridge, in the desktop app's window. */
  readonly lanyard?: import('../main/contract/ui/page-bridge.ts').PageBridge;
}

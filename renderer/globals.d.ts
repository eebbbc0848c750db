/** The version of Lanyard that this page was built of. */
declare const __LANYARD_VERSION__: string;

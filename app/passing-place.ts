/** What macOS knows of the place that a program runs from. */
export interface PlaceFacts {
  platform: NodeJS.Platform;
  /** The absolute path of the program: `…/Lanyard.app/Contents/MacOS/Lanyard`. */
  program: string;
  /** By Electron: the system's folder, the user's own, or any folder with the name `Applications`. */
  isInApplicationsFolder: boolean;
  isReadOnlyVolume: boolean;
}

/**
 * - `temporary`: macOS runs a quarantined app from a random read-only path (app translocation), another one each time.
 *   The system empties the folders around it, too.
 * - `diskImage`: gone when the image is ejected.
 */
export type PassingPlace = 'temporary' | 'diskImage';

/** The folders of `confstr(_CS_DARWIN_USER_TEMP_DIR)`, with the translocated apps among them, and /tmp. */
const temporaryFolders = /^(?:\/private)?\/(?:var\/folders|tmp)\//;

/** An app that lies directly in a volume: an image that can be written to, or a disk that is plugged in. */
const topOfVolume = /^\/Volumes\/[^/]+\/[^/]+\.app\//;

/**
 * Whether the app will be gone from this path at a later start. Null: it stays. start.json, the service and the entry
 * for the login name the app's own path, so it mustn't run from such a place. An AppImage has one, too, its mount, but
 * there the file stays and is named instead (app/own-app-image.ts). macOS doesn't say where a translocated app really is.
 */
export function passingPlace({
  platform,
  program,
  isInApplicationsFolder,
  isReadOnlyVolume,
}: PlaceFacts): PassingPlace | null {
  if (platform !== 'darwin') {
    return null;
  }
  if (temporaryFolders.test(program)) {
    return 'temporary';
  }
  // A folder of apps on a read-only server is a place that an administrator chose.
  return !isInApplicationsFolder && (isReadOnlyVolume || topOfVolume.test(program)) ? 'diskImage' : null;
}

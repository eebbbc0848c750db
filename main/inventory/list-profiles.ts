import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { readPieces } from '../kubernetes/open-answer.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import type { Clock } from '../ports/clock.ts';
import { type HubConnection, hubFault } from './hub-connection.ts';
import { hubLimits } from './hub-limits.ts';
import { type HubScope, type ProfileVersion, profilesPath, profileVersions } from './hub-path.ts';
import { SourceFault } from './source-fault.ts';
import { withinTime } from './within-time.ts';

/** Where a watch begins. */
export interface Position {
  version: ProfileVersion;
  resourceVersion: string;
}

export interface ListingDeps {
  hub: HubConnection;
  scope: HubScope;
  clock: Pick<Clock, 'boottime' | 'after'>;
  signal: AbortSignal;
  /** Each object as it came, in the hub's order. */
  take(object: unknown): void;
  /** The list begins again: what was taken of it may be gone by now. */
  again(): void;
  /** What the list waits for from now on, as a noun. */
  waitsFor(what: string): void;
}

const listPage = z.object({
  apiVersion: z.string().optional(),
  metadata: z.object({
    resourceVersion: z.string().min(1).max(256),
    continue: z.string().max(hubLimits.tokenCharacters).default(''),
  }),
  // Go writes an empty list as null, too.
  items: z.array(z.unknown()).nullable(),
});

type Page = z.infer<typeof listPage>;

/**
 * One complete list of a hub's profiles, by pages, in the newest version that it serves. Without a resourceVersion, and
 * so without resourceVersionMatch: then all pages are of the newest state (Kubernetes, "API Concepts": most recent),
 * and a list never goes back behind what was watched. Throws SourceFault; what was taken by then is true all the same.
 */
export async function listProfiles(deps: ListingDeps): Promise<Position> {
  const [newest, older] = profileVersions;
  try {
    return await listVersion(newest, deps);
  } catch (error) {
    if (error instanceof SourceFault && error.code === 'notServed') {
      return await listVersion(older, deps);
    }
    throw error;
  }
}

async function listVersion(version: ProfileVersion, deps: ListingDeps): Promise<Position> {
  const { clock, scope, take } = deps;
  const startedAt = clock.boottime();
  let [limit, token, items, bytes] = [hubLimits.pageItems as number, '', 0, 0];
  for (let pages = 0; pages < hubLimits.listPages; pages++) {
    const query = { limit: String(limit), ...(token !== '' && { continue: token }) };
    const asked = { path: profilesPath(version, scope, query), what: `page ${pages + 1} of its list` };
    const read = await readPage(
      { ...asked, limitBytes: hubLimits.pageBytes, nodes: hubLimits.pageNodes },
      deps,
    ).catch((error: unknown) => (token !== '' && isExpired(error) ? 'expired' : Promise.reject(error)));
    if (read === 'expired') {
      deps.again();
      return await listWhole(version, deps);
    }
    if (read === 'tooLarge') {
      if (limit === 1) {
        throw new SourceFault('tooLarge', 'the hub has a ClusterProfile that is too large to be read');
      }
      // Who can write to one namespace must not be able to hide all others behind a large page.
      limit = Math.max(1, Math.floor(limit / 8));
      continue;
    }
    for (const item of read.page.items ?? []) {
      take(item);
    }
    items += read.page.items?.length ?? 0;
    bytes += read.bytes;
    token = read.page.metadata.continue;
    if (token === '') {
      return { version, resourceVersion: read.page.metadata.resourceVersion };
    }
    limit = Math.min(hubLimits.pageItems, limit * 2);
    if (
      items > hubLimits.listItems ||
      bytes > hubLimits.listBytes ||
      clock.boottime() - startedAt > hubLimits.listMilliseconds
    ) {
      break;
    }
  }
  throw new SourceFault('endless', 'the hub’s list of ClusterProfiles does not end', { goingOn: 'list' });
}

function isExpired(error: unknown): boolean {
  return error instanceof SourceFault && error.code === 'expired';
}

/**
 * The hub compacted between two pages, and may do so each time: as client-go’s pager goes on, all in one page. Throws
 * SourceFault `expired` where that is too large.
 */
async function listWhole(version: ProfileVersion, deps: ListingDeps): Promise<Position> {
  const path = profilesPath(version, deps.scope, {});
  const whole = { limitBytes: hubLimits.wholeListBytes, nodes: hubLimits.wholeListNodes };
  const read = await readPage({ path, what: 'its whole list', ...whole }, deps);
  if (read === 'tooLarge') {
    throw new SourceFault('expired', 'the hub forgets its list between two pages of it (410)', {
      goingOn: 'list',
    });
  }
  for (const item of read.page.items ?? []) {
    deps.take(item);
  }
  return { version, resourceVersion: read.page.metadata.resourceVersion };
}

async function readPage(
  { path, what, limitBytes, nodes }: { path: string; what: string; limitBytes: number; nodes: number },
  { hub, clock, signal, waitsFor }: ListingDeps,
): Promise<{ page: Page; bytes: number } | 'tooLarge'> {
  const bounded = withinTime(clock, hubLimits.pageMilliseconds, signal);
  waitsFor('a credential for the hub');
  try {
    const answer = await hub.open(path, bounded.signal, () => waitsFor(`${what} from the hub`));
    try {
      const bytes = await readPieces(answer.pieces, limitBytes);
      if (hasMoreNodes(bytes, nodes)) {
        return 'tooLarge';
      }
      const page = listPage.safeParse(parseJson(bytes.toString('utf8')));
      if (!page.success) {
        throw new SourceFault(
          'badAnswer',
          'the hub answers with something that is no list of ClusterProfiles',
        );
      }
      return { page: page.data, bytes: bytes.length };
    } finally {
      answer.end();
    }
  } catch (error) {
    if (error instanceof HttpFailure && error.kind === 'tooLarge') {
      return 'tooLarge';
    }
    throw hubFault(error, hub.host, bounded.signal);
  } finally {
    bounded.dispose();
  }
}

/** Whether a JSON text begins more lists and objects than that; those within texts count, too. */
function hasMoreNodes(text: Buffer, most: number): boolean {
  let nodes = 0;
  for (const byte of text) {
    // { and [
    if (byte === 0x7b || byte === 0x5b) {
      nodes += 1;
      if (nodes > most) {
        return true;
      }
    }
  }
  return false;
}

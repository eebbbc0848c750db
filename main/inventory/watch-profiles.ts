import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { visibleLine } from '../domain/text/visible-text.ts';
import type { Clock } from '../ports/clock.ts';
import { type HubConnection, hubFault } from './hub-connection.ts';
import { hubLimits } from './hub-limits.ts';
import { type HubScope, profilesPath } from './hub-path.ts';
import type { Position } from './list-profiles.ts';
import { readLines } from './read-lines.ts';
import { isBefore } from './resource-version.ts';
import { SourceFault } from './source-fault.ts';
import { withinTime } from './within-time.ts';

export interface WatchDeps {
  hub: HubConnection;
  scope: HubScope;
  clock: Pick<Clock, 'after'>;
  /** From 0 up to 1. */
  random(): number;
  signal: AbortSignal;
  /** The hub has answered: what it says from now on is heard. */
  begun(): void;
  /** A profile was made or changed, as it came. */
  changed(object: unknown): void;
  deleted(namespace: string, name: string): void;
  /** The hub said something: what is known is as new as this. */
  heard(): void;
}

const event = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.looseObject({}),
});

const metadata = z.object({
  metadata: z.object({
    namespace: z.string().max(253).default(''),
    name: z.string().max(253).default(''),
    resourceVersion: z.string().min(1).max(256),
  }),
});

const status = z.object({
  code: z.number().optional(),
  reason: z.string().optional(),
  message: z.string().default(''),
  details: z.object({ retryAfterSeconds: z.number().int().min(1).max(3600).optional() }).nullish(),
});

/**
 * One watch, from `position`, which it moves on. Resolves where the hub ends it. Throws SourceFault, also where it
 * is silent beyond the end that it was asked for.
 */
export async function watchProfiles(position: Position, deps: WatchDeps): Promise<void> {
  const { hub, scope, clock, random, signal } = deps;
  const { least, most } = hubLimits.watchSeconds;
  const seconds = Math.round(least + random() * (most - least));
  const path = profilesPath(position.version, scope, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: position.resourceVersion,
    timeoutSeconds: String(seconds),
  });
  const bounded = withinTime(clock, seconds * 1000 + hubLimits.watchGraceMilliseconds, signal);
  try {
    const answer = await hub.open(path, bounded.signal);
    try {
      deps.begun();
      for await (const line of readLines(answer.pieces)) {
        takeLine(line, position, deps);
      }
    } finally {
      answer.end();
    }
  } catch (error) {
    throw hubFault(error, hub.host, bounded.signal);
  } finally {
    bounded.dispose();
  }
}

function takeLine(line: string, position: Position, { changed, deleted, heard }: WatchDeps): void {
  const read = event.safeParse(parseJson(line));
  if (!read.success) {
    throw badEvent();
  }
  const { type, object } = read.data;
  if (type === 'ERROR') {
    throw errorEvent(object);
  }
  const of = metadata.safeParse(object);
  if (!of.success) {
    throw badEvent();
  }
  const { namespace, name, resourceVersion } = of.data.metadata;
  if (isBefore(resourceVersion, position.resourceVersion)) {
    throw new SourceFault('outOfOrder', 'the hub’s watch went back to an older resource version', {
      goingOn: 'list',
    });
  }
  if (type === 'DELETED') {
    deleted(namespace, name);
  } else if (type !== 'BOOKMARK') {
    changed(object);
  }
  position.resourceVersion = resourceVersion;
  heard();
}

function badEvent(): SourceFault {
  return new SourceFault('badAnswer', 'the hub’s watch sent something that is no event', { goingOn: 'list' });
}

function errorEvent(object: unknown): SourceFault {
  const read = status.safeParse(object);
  const { code, reason, message, details } = read.success ? read.data : { message: '' };
  if (code === 410 || reason === 'Expired' || reason === 'Gone') {
    return new SourceFault('expired', 'the hub no longer knows what has changed since (410)', {
      goingOn: 'list',
    });
  }
  if (code === 429) {
    return new SourceFault('throttled', 'the hub asks for fewer requests (429)', {
      retryAfterSeconds: details?.retryAfterSeconds ?? null,
    });
  }
  const said = visibleLine(message, 300);
  return new SourceFault('badAnswer', `the hub’s watch reports an error${said === '' ? '' : `: ${said}`}`, {
    goingOn: 'list',
  });
}

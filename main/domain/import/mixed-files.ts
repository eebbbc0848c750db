import { shownName } from '../text/shown-name.ts';
import { visibleText } from '../text/visible-text.ts';
import type { HiddenEntry, KubeCluster, KubeContext, KubeUser, MergedKubeconfig } from './kubeconfig.ts';
import { shown } from './question-words.ts';

/** A context whose cluster or user another file has. */
export interface Mixture {
  /** Whose they are, where no other file has entries of these names; null: nothing to say. */
  note: string | null;
  /** The facts where more than one file has an entry of that name, and they differ. */
  asked: readonly string[];
}

type Entry = Pick<KubeUser, 'name' | 'origin'> & Partial<Pick<KubeCluster, 'server'>>;

/** Tells where a context leads to other files than its own, which may have an entry that an earlier file hides. */
export function createMixtures(merged: MergedKubeconfig): (context: KubeContext) => Mixture {
  // By the name in the files: where none is hidden, entries of one name stand beside each other.
  const visible = {
    cluster: Map.groupBy(merged.clusters.values(), ({ origin }) => origin.name),
    user: Map.groupBy(merged.users.values(), ({ origin }) => origin.name),
  };
  const hidden = Map.groupBy(merged.hidden, ({ what, name }) => `${what}\n${name}`);
  return (context) => {
    const own = context.origin.file;
    const from = new Map<string, string[]>();
    const asked: string[] = [];
    const look = (what: 'cluster' | 'user', entry: Entry | undefined) => {
      if (!entry || entry.origin.file === own) {
        return;
      }
      const { file, name } = entry.origin;
      const behind = hidden.get(`${what}\n${name}`) ?? [];
      const isAlike = (each: HiddenEntry) =>
        each.isSame || (each.what === 'cluster' && each.cluster.server === entry.server);
      if (behind.some((each) => isAlike(each) && each.origin.file === own)) {
        return;
      }
      const beside: readonly Entry[] = visible[what].get(name) ?? [];
      const others = [
        ...behind.filter((each) => !isAlike(each)),
        ...beside.filter((each) => each.name !== entry.name),
      ].map(({ origin }) => origin.file);
      if (others.length === 0) {
        from.set(file, [...(from.get(file) ?? []), what]);
      } else {
        const whose = others.includes(own) ? 'its own file' : shownFile(others[0] ?? '');
        asked.push(
          `${shownName(context.name)} of ${shownFile(own)} uses the ${what} ${shownName(name)} of ${shownFile(file)}${serverText(entry)}; ${whose} has another one of that name`,
        );
      }
    };
    look('cluster', merged.clusters.get(context.cluster));
    look('user', merged.users.get(context.user));
    const notes = [...from].map(
      ([file, whats]) =>
        `its ${whats.join(' and ')} ${whats.length > 1 ? 'come' : 'comes'} from ${shownFile(file)}`,
    );
    return { note: notes.length === 0 ? null : notes.join(', and '), asked };
  };
}

function shownFile(file: string): string {
  return visibleText(file, 500);
}

function serverText({ server }: Entry): string {
  return server === undefined ? '' : ` (${shown(server)})`;
}

import { beforeEach, describe, expect, it } from 'vitest';
import { type DropEvent, takeDrops } from './dropped-files.ts';

type Kind = 'dragover' | 'drop';

const listeners = new Map<Kind, (event: DropEvent) => void>();
let heard: string[][];
let listenDrops: ReturnType<typeof takeDrops>;

beforeEach(() => {
  listeners.clear();
  heard = [];
  const paths = new Map([
    ['config', '/home/me/.kube/config'],
    ['team.yaml', '/home/me/team.yaml'],
  ]);
  listenDrops = takeDrops(
    {
      addEventListener: (kind, listener, { capture }) => {
        expect(capture).toBe(true);
        listeners.set(kind, listener);
      },
    },
    ({ name }) => paths.get(name) ?? '',
  );
});

/** What the page’s own listeners, which come later, would see of it. */
function happen(kind: Kind, names: readonly string[], { types = ['Files'], isTrusted = true } = {}) {
  const seen = { isStopped: false, isPrevented: false, dropEffect: 'none' };
  listeners.get(kind)?.({
    isTrusted,
    dataTransfer: {
      types,
      files: names.map((name) => new File(['token: secret'], name)),
      set dropEffect(effect: string) {
        seen.dropEffect = effect;
      },
    },
    preventDefault: () => {
      seen.isPrevented = true;
    },
    stopImmediatePropagation: () => {
      seen.isStopped = true;
    },
  });
  return seen;
}

describe('files that are dropped on the window', () => {
  it('are told by their paths alone, and the page’s own listeners see no drop', () => {
    listenDrops((paths) => heard.push(paths));
    expect(happen('dragover', [])).toEqual({ isStopped: false, isPrevented: true, dropEffect: 'copy' });
    expect(happen('drop', ['config', 'team.yaml'])).toMatchObject({ isStopped: true, isPrevented: true });
    expect(heard).toEqual([['/home/me/.kube/config', '/home/me/team.yaml']]);
  });

  it('reach no page that doesn’t listen, not even as files', () => {
    expect(happen('dragover', []).isPrevented).toBe(false);
    expect(happen('drop', ['config']).isStopped).toBe(true);
    listenDrops((paths) => heard.push(paths));
    listenDrops(null);
    happen('drop', ['config']);
    expect(heard).toEqual([]);
  });

  it('are none where the page made the event, or they are at no path', () => {
    listenDrops((paths) => heard.push(paths));
    happen('drop', ['config'], { isTrusted: false });
    happen('drop', ['made in a page']);
    expect(heard).toEqual([]);
  });

  it('leaves text that is dragged into a field to the page', () => {
    listenDrops((paths) => heard.push(paths));
    const text = { types: ['text/plain'] };
    expect(happen('dragover', [], text).isPrevented).toBe(false);
    expect(happen('drop', [], text)).toMatchObject({ isStopped: false, isPrevented: false });
  });
});

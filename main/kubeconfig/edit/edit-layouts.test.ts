import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { changedValue, kubeconfigChanges } from '../../../test/support/kubeconfig-changes.ts';
import { kubeconfigLayouts } from '../../../test/support/kubeconfig-layouts.ts';
import { editKubeconfigText } from './edit-kubeconfig-text.ts';

/** The first document, as YAML 1.1 or 1.2 reads it. */
function values(text: string, version: '1.1' | '1.2'): unknown {
  const all = parseAllDocuments(text, { version, merge: true });
  return 'empty' in all ? null : all[0]?.toJS();
}

describe('each layout takes each change, and says nothing else than before', () => {
  for (const [layout, text] of Object.entries(kubeconfigLayouts)) {
    for (const [name, changes] of Object.entries(kubeconfigChanges)) {
      test(`${layout}: ${name}`, () => {
        const edited = editKubeconfigText(text, changes);
        if (!edited.ok) {
          throw new Error(edited.fault);
        }
        for (const version of ['1.1', '1.2'] as const) {
          expect(changedValue(values(edited.text, version), [])).toEqual(
            changedValue(values(text, version), changes),
          );
        }
        // Lines that no hunk names are the same, to the byte.
        const old = text.split('\n');
        const now = edited.text.split('\n');
        for (const { oldLine, newLine, removed, added } of edited.hunks.toReversed()) {
          old.splice(oldLine - 1, removed.length);
          now.splice(newLine - 1, added.length);
        }
        expect(now).toEqual(old);
        expect(edited.text.endsWith('\n')).toBe(text.endsWith('\n'));
        // Each line break is the file's own.
        expect(edited.text.replaceAll('\r\n', '').includes(text.includes('\r\n') ? '\n' : '\r')).toBe(false);
      });
    }
  }
});

test('the same changes once more change nothing', () => {
  for (const [layout, text] of Object.entries(kubeconfigLayouts)) {
    const changes = (kubeconfigChanges['all of it'] ?? []).filter(({ kind }) => kind !== 'addUser');
    const once = editKubeconfigText(text, changes);
    const twice = once.ok ? editKubeconfigText(once.text, changes) : once;
    expect(twice, layout).toMatchObject({ ok: true, text: once.ok && once.text });
  }
});

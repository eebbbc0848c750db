import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeSigningKey, type OfferPlan, pourForEver, redirectTo } from '../support/update-feed.ts';
import { setUpdatesStage, type UpdatesStage } from '../support/updates-stage.ts';

const still = new AbortController().signal;

let stage: UpdatesStage;
beforeEach(async () => {
  stage = await setUpdatesStage();
});
afterEach(() => stage.dispose());

describe('an offer that is rejected (rule: signed-updates)', () => {
  const manifestName = 'latest-linux.yml';
  const other = makeSigningKey();
  const bytes = (name: string) => stage.feed.files.get(name) as Buffer;
  const put = (name: string, content: Buffer | string) => stage.feed.files.set(name, Buffer.from(content));
  const offer = (plan: Partial<OfferPlan> = {}) =>
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey, ...plan });
  const signed = (change: OfferPlan['change'] & object) => () => offer({ change });
  const file = (change: object) =>
    signed((manifest) => ({ ...manifest, files: [{ ...(manifest['files'] as object[])[0], ...change }] }));

  // A good offer lies there before each.
  it.each<[string, string, () => unknown]>([
    ['without a signature', 'update.answer', () => stage.feed.files.delete(`${manifestName}.sig`)],
    ['with an empty one', 'update.unsigned', () => put(`${manifestName}.sig`, '')],
    ['with words for one', 'update.unsigned', () => put(`${manifestName}.sig`, 'trust me\n')],
    [
      'with a signature of another manifest',
      'update.unsigned',
      () => {
        const signature = bytes(`${manifestName}.sig`);
        offer({ version: '1.0.5' });
        put(`${manifestName}.sig`, signature);
      },
    ],
    ['signed with another key', 'update.unsigned', () => offer({ key: other.privateKey })],
    [
      'changed after it was signed',
      'update.unsigned',
      () => put(manifestName, bytes(manifestName).toString().replace('size: 300000', 'size: 300001')),
    ],
    ['cut short', 'update.unsigned', () => put(manifestName, bytes(manifestName).subarray(0, -10))],
    ['signed for another platform', 'update.unsigned', () => offer({ signedName: 'latest-mac.yml' })],
    ['signed for another channel', 'update.unsigned', () => offer({ signedName: 'beta-linux.yml' })],
    [
      'larger than any manifest',
      'update.tooLarge',
      signed((manifest) => ({ ...manifest, padding: 'x'.repeat(70_000) })),
    ],
    ['without an end', 'update.tooLarge', () => stage.feed.files.set(manifestName, pourForEver)],
    [
      'by a redirect',
      'update.unreachable',
      () => {
        put('elsewhere.yml', bytes(manifestName));
        stage.feed.files.set(manifestName, redirectTo('/releases/elsewhere.yml'));
      },
    ],
    ['and is no manifest', 'update.manifest', signed(() => 'hello')],
    [
      'with a version that is none',
      'update.manifest',
      signed((manifest) => ({ ...manifest, version: '1.1' })),
    ],
    [
      'with a package on another server',
      'update.manifest',
      file({ url: 'https://evil.example/Lanyard.AppImage' }),
    ],
    [
      'with one on another server, without a scheme',
      'update.manifest',
      file({ url: '//evil.example/Lanyard.AppImage' }),
    ],
    ['with one above the feed', 'update.manifest', file({ url: '../Lanyard-1.1.0.AppImage' })],
    ['with a name that a shell would read', 'update.manifest', file({ url: 'a$(id).AppImage' })],
    ['without a digest', 'update.manifest', file({ sha512: undefined })],
    ['without a size', 'update.manifest', file({ size: undefined })],
    [
      'by a server that is in trouble',
      'update.answer',
      () => stage.feed.files.set(manifestName, (_, response) => response.writeHead(500).end()),
    ],
    ['by nobody', 'update.unreachable', () => stage.feed.dispose()],
  ])('%s', async (_, code, prepare) => {
    const updates = stage.start();
    offer();
    await prepare();
    await expect(updates.check(still)).rejects.toMatchObject({ code });
    const view = updates.view();
    expect(view.kind).toBe('failed');
    // Words, and what to do: sentences, without what a stranger sent.
    expect('message' in view && view.message).toMatch(/^[A-Z][^.]+\. [A-Z].+\.$/);
    expect(JSON.stringify(view)).not.toMatch(/evil|trust me|127\.0\.0\.1/);
    await expect(updates.fetch(still)).rejects.toMatchObject({ code: 'update.none' });
    expect(stage.kept()).toEqual([]);
  });

  it('by a feed that doesn’t answer', async () => {
    const arrived = Promise.withResolvers<void>();
    stage.feed.files.set(manifestName, () => arrived.resolve());
    const checked = expect(stage.start().check(still)).rejects.toMatchObject({ code: 'update.timedOut' });
    await arrived.promise;
    stage.clock.advance(30_000);
    await checked;
  });

  it('by a feed that sends a byte now and then', async () => {
    const answering = Promise.withResolvers<ServerResponse>();
    stage.feed.files.set(manifestName, (_, response) => answering.resolve(response));
    const timers = vi.spyOn(stage.clock, 'after');
    const updates = stage.start();
    const checked = expect(updates.check(still)).rejects.toMatchObject({ code: 'update.timedOut' });
    const response = await answering.promise;
    for (let sent = 0; sent < 3; sent += 1) {
      // Each byte that arrives winds the clock of silence up again.
      const before = timers.mock.calls.length;
      response.write('v');
      await expect.poll(() => timers.mock.calls.length).toBeGreaterThan(before);
      expect(updates.view().kind).toBe('checking');
      stage.clock.advance(20_000);
    }
    await checked;
  });
});

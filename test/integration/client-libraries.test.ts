import { readFileSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import {
  type Library,
  type LibraryClient,
  libraries,
  prepareLibrary,
  type ReadyLibrary,
  startLibraryClient,
} from '../support/client-library.ts';
import { whyNotLong } from '../support/long.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { credentialIn, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/**
 * Other clients than kubectl, through the kubeconfig that Lanyard writes: each has one client that lives on. Where a
 * library does less than kubectl, the test says so, and so does docs/clients.md.
 */
const shortSeconds = 15;
const certificateFiles = ['tls.crt', 'tls.key'] as const;

describe('client libraries', unless(whyNotLong), () => {
  let stage: Stage;
  let kubeconfig: string;
  const plugins = new Map<Library, TestPlugin>();
  const ready = new Map<Library, ReadyLibrary>();

  beforeAll(async () => {
    for (const library of libraries) {
      ready.set(library, await prepareLibrary(library));
    }
    stage = await Stage.open({
      extend: ({ accounts, clusters }, { home }) => {
        const [certificateFile, keyFile] = certificateFiles.map((name) => `${home.outside}/${name}`);
        accounts['files'] = { clientCertificate: { certificateFile, keyFile } };
        for (const library of libraries) {
          // The client for JavaScript tells no plugin which server it talks to (see below).
          const known = { ...clusters['prod'], withoutInfo: library === 'javascript' ? 'allow' : 'refuse' };
          const plugin = makePlugin({ parent: home.outside });
          plugins.set(library, plugin);
          accounts[`plugin-${library}`] = plugin.account();
          clusters[`${library}-plugin`] = { ...known, account: `plugin-${library}` };
          accounts[`corp-${library}`] = { ...accounts['corp'] };
          clusters[`${library}-corp`] = { ...known, account: `corp-${library}` };
          for (const account of ['bot', 'ops', 'files']) {
            clusters[`${library}-${account}`] = { ...known, account };
          }
        }
      },
    });
    await stage.setSecrets();
    kubeconfig = await stage.writeKubeconfig();
  }, 900_000);
  afterAll(async () => {
    await stage?.dispose();
    for (const plugin of plugins.values()) {
      plugin.dispose();
    }
  });

  function client(
    library: Library,
    context: string,
    skip: (why: string) => void,
    file = kubeconfig,
  ): LibraryClient {
    const found = ready.get(library);
    if (!found?.ok) {
      skip(found?.why ?? 'it was not made ready');
      throw new Error('skip throws');
    }
    return startLibraryClient(stage, found, file, context);
  }

  /** The last request for what the clients ask. */
  const last = () => stage.api.requests.filter(({ path }) => path.endsWith('/pods')).at(-1);
  const listed = { ok: true, names: ['web-0', 'web-1', 'worker-0'] };

  describe.each(libraries)('%s', (library) => {
    test('KEP-541/tokens: lists with a token', async ({ skip }) => {
      expect(await client(library, `${library}-bot`, skip).list()).toEqual(listed);
      expect(last()).toMatchObject({ user: 'bot', via: 'token' });
    });

    test('KEP-541/certificates: lists with a certificate and its intermediate', async ({ skip }) => {
      expect(await client(library, `${library}-ops`, skip).list()).toEqual(listed);
      expect(last()).toMatchObject({ user: 'olga', via: 'certificate' });
    });

    test('its program’s standard input stays its own, and it asks once', async ({ skip }) => {
      const { running, list } = client(library, `${library}-bot`, skip);
      for (let times = 0; times < 3; times++) {
        expect(await list()).toEqual(listed);
      }
      const { stdout } = await stage.lanyard(['audit', '--json', '--cluster', `${library}-bot`]);
      const calls = stdout.split('\n').filter((line) => line.includes(`"pid":${running.pid},`));
      expect(calls).toHaveLength(1);
    });

    test('denied: the client shows the reason', async ({ skip }) => {
      const { running, list } = client(library, `${library}-corp`, skip);
      const answer = await list();
      const reason = `lanyard: corp-${library} needs a login`;
      switch (library) {
        case 'client-go':
          expect(answer.message).toContain('failed with exit code 15');
          expect(running.stderr()).toContain(reason);
          break;
        case 'python':
          // It logs what the plugin said, and then asks as nobody.
          expect(running.stderr()).toContain(reason);
          expect([answer.status, last()?.via]).toEqual([401, 'none']);
          break;
        case 'javascript':
          expect(answer.message).toContain(reason);
      }
    });

    test('KEP-541/rotation, KEP-541/renewal-after-401: a renewed token after a 401', async ({ skip }) => {
      const { list, reload } = client(library, `${library}-corp`, skip);
      await stage.logIn(`corp-${library}`);
      expect(await list()).toEqual(listed);
      const asked = await stage.ask(`corp-${library}`, stage.execInfo(), {
        args: ['--cluster', `${library}-corp`],
      });
      stage.api.rejectTokens(credentialIn(asked).token ?? '');
      expect(await list()).toMatchObject({ ok: false, status: 401 });
      if (library !== 'client-go') {
        // It runs the plugin again after the told end alone, or for a client made anew.
        expect(await list()).toMatchObject({ ok: false, status: 401 });
        expect(await reload()).toEqual(listed);
      }
      expect(await list()).toEqual(listed);
    });

    test('KEP-541/caching, KEP-541/rerun-after-401: lists with what a wrapped plugin gave, which runs again after a 401', async ({
      skip,
    }) => {
      const plugin = plugins.get(library) as TestPlugin;
      const asked = await stage.ask(`corp-${library}`, stage.execInfo(), {
        args: ['--cluster', `${library}-corp`],
      });
      const { token = '' } = credentialIn(asked);
      plugin.answers({ token });
      const { list, reload } = client(library, `${library}-plugin`, skip);
      expect(await list()).toEqual(listed);
      expect(await list()).toEqual(listed);
      expect(plugin.runs()).toHaveLength(1);
      stage.api.rejectTokens(token);
      plugin.answers({ token: stage.botToken });
      expect(await list()).toMatchObject({ ok: false, status: 401 });
      expect(library === 'client-go' ? await list() : await reload()).toEqual(listed);
      expect(last()).toMatchObject({ user: 'bot' });
      expect(plugin.runs()).toHaveLength(2);
    });
  });

  test('KEP-541/cluster-info: the client for JavaScript tells no server, so that withoutInfo: allow is needed', async ({
    skip,
  }) => {
    const answer = await client('javascript', 'prod-bot', skip).list();
    expect(answer.message).toContain('did not send cluster info');
    expect(answer.message).toContain('withoutInfo: allow');
  });

  test.for(['client-go', 'python'] as const)(
    'KEP-541/cluster-info: %s and a CA in a file',
    async (library, { skip }) => {
      const file = `certificate-authority: ${stage.home.outside}/cluster-ca.pem`;
      const text = readFileSync(kubeconfig, 'utf8').replaceAll(/certificate-authority-data: .*/g, file);
      const other = stage.home.write('kubeconfig-files', text);
      const { list, running } = client(library, `${library}-bot`, skip, other);
      if (library === 'client-go') {
        expect(await list()).toEqual(listed);
      } else {
        // It passes the file's path on, not what is in it.
        expect(await list()).toMatchObject({ ok: false, status: 401 });
        expect(running.stderr()).toContain('no certificate authority is told');
      }
    },
  );

  describe('KEP-541/rotation: after the end', () => {
    const started = new Map<
      Library,
      { token: LibraryClient; certificate: LibraryClient; first: string | null }
    >();

    let certificateEnds: number;

    beforeAll(async () => {
      stage.provider.lifetimes.idTokenSeconds = shortSeconds;
      certificateEnds = await putCertificate(stage, shortSeconds);
      for (const library of libraries) {
        const found = ready.get(library);
        if (found?.ok) {
          await stage.lanyard(['logout', `corp-${library}`]);
          await stage.logIn(`corp-${library}`);
          const start = (account: string) =>
            startLibraryClient(stage, found, kubeconfig, `${library}-${account}`);
          const [token, certificate] = [start('corp'), start('files')];
          expect(await certificate.list()).toEqual(listed);
          expect(await token.list()).toEqual(listed);
          started.set(library, { token, certificate, first: last()?.token ?? null });
        }
      }
      stage.provider.lifetimes.idTokenSeconds = 600;
      await putCertificate(stage, 3600);
    });

    function found(library: Library, skip: (why: string) => void) {
      const one = started.get(library);
      if (!one) {
        skip('it was not made ready');
        throw new Error('skip throws');
      }
      return one;
    }

    describe.each(libraries)('%s', (library) => {
      test('gets another token, and no 401 in between', async ({ skip }) => {
        const { token, first } = found(library, skip);
        await until(async () => {
          expect(await token.list()).toEqual(listed);
          return last()?.token === first ? null : true;
        }, 'another token');
      });

      test('gets another certificate', async ({ skip }) => {
        const { certificate } = found(library, skip);
        await until(() => (Date.now() > certificateEnds ? true : null), 'its end');
        // Connections outlive the certificate that they were made with.
        stage.api.dropConnections();
        const answer = await certificate.list();
        if (library === 'python') {
          // It asks for a certificate once, when its configuration is loaded.
          expect(answer.ok).toBe(false);
          expect(await certificate.reload()).toEqual(listed);
        } else {
          expect(answer).toEqual(listed);
        }
      });
    });
  });
});

/** In place of the one before, each file at once; gives its end. */
async function putCertificate(stage: Stage, seconds: number): Promise<number> {
  const { clientCa, home } = stage;
  const notAfter = new Date(Date.now() + seconds * 1000);
  const issued = await issueClientCertificate(clientCa, { commonName: 'files', notAfter });
  const texts = [issued.chainPem, issued.keyPem];
  for (const [index, name] of certificateFiles.entries()) {
    renameSync(home.write(`${name}.new`, texts[index] ?? ''), `${home.outside}/${name}`);
  }
  return notAfter.getTime();
}

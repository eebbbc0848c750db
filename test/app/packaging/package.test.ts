import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPackage, extractAll } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cargoHome } from '../../../scripts/cargo.ts';
import { findNfpm } from '../../../scripts/find-nfpm.ts';
import { type Layout, layoutOf } from '../../../scripts/package/layout.ts';
import { checkRelease, filesOf } from '../../../scripts/package/release-checks.ts';
import { assertBuilt } from '../../support/built.ts';
import { startApp } from '../../support/electron/program.ts';
import { makeHome } from '../../support/home.ts';
import { isLong, whyNotLong } from '../../support/long.ts';
import { run } from '../../support/processes.ts';
import { readRpm, rpmTags } from '../../support/rpm.ts';
import { unless } from '../../support/unless.ts';

/*
 * `npm run package` with all its real parts but Electron's binary, which is a stub: what is put together is what users
 * get, and that it starts under the real Electron is shown where there is one (npm run check:release, test:electron).
 */

const repository = join(import.meta.dirname, '..', '..', '..');
const output = mkdtempSync(join(tmpdir(), 'lanyard-package-'));
const host = {
  platform: process.platform,
  architecture: process.arch,
  folders: [repository, cargoHome(process.env)],
};
const nfpm = findNfpm(repository, process.env);
const isLinux = process.platform === 'linux';
/** Why there are no packages here; null: there are. */
const noPackages = nfpm === null ? 'missing: nfpm' : null;

describe.runIf(isLinux)('npm run package, with a stand-in of Electron', () => {
  let layout: Layout;
  let app: string;

  beforeAll(() => {
    assertBuilt();
    // Each leaves the folder that it is made of.
    const targets = noPackages === null ? ['deb', ...(isLong ? ['rpm'] : [])] : ['dir'];
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [
        join(repository, 'scripts', 'package.ts'),
        '--stand-in',
        '--no-build',
        '--linux',
        ...targets,
        `-c.directories.output=${output}`,
        // As xz is, in a tenth of the time.
        '-c.deb.compression=gz',
        '-c.rpm.compression=gzip',
      ],
      { cwd: repository, encoding: 'utf8' },
    );
    expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ');
    expect(stderr).toContain('WITH A STAND-IN FOR ELECTRON');
    const found = layoutOf(join(output, 'linux-unpacked'));
    if (found === null) throw new Error('no app came out');
    layout = found;
    app = join(output, 'app');
    extractAll(join(layout.resources, 'app.asar'), app);
  });

  afterAll(() => rmSync(output, { recursive: true, force: true }));

  it('passes the release check', async () => {
    expect((await checkRelease(layout, host)).filter(({ wrong }) => wrong !== null)).toEqual([]);
  });

  it('contains no source, test, map, other module or tool', () => {
    const files = filesOf(join(layout.resources, 'app.asar'));
    const modules = files.filter(
      (file) => file.startsWith('node_modules/') && !file.startsWith('node_modules/keytar/'),
    );
    expect(modules).toEqual([]);
    expect(
      files.filter((file) => /\.(ts|tsx|map|md|rs)$|\.test\.|licenses\.json|parts\.json/.test(file)),
    ).toEqual([]);
    expect(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))).toEqual({
      name: 'lanyard',
      productName: 'Lanyard',
      desktopName: 'lanyard.desktop',
      version: expect.any(String),
      description: expect.any(String),
      license: 'Apache-2.0',
      type: 'module',
      main: 'dist/app/main.js',
      homepage: expect.any(String),
      author: expect.any(Object),
      dependencies: { keytar: expect.any(String) },
    });
  });

  it('runs: the app from its archive is a broker for the helper beside it', async () => {
    const home = makeHome();
    const started = await startApp({
      home,
      entry: join(app, 'dist', 'app', 'main.js'),
      resources: layout.resources,
    });
    try {
      const helper = join(layout.resources, 'bin', 'lanyard');
      const status = await run(helper, ['status', '--json'], { env: home.env });
      expect(JSON.parse(status.stdout)).toMatchObject({ broker: { pid: started.running.pid } });
      // What the app puts into the home is what was packaged.
      expect(readFileSync(join(home.path, 'bin', 'lanyard')).equals(readFileSync(helper))).toBe(true);
      // The others stay beside the packaged helper: the broker alone starts them.
      expect(existsSync(join(home.path, 'bin', 'lanyard-proxy'))).toBe(false);
      expect(existsSync(join(home.path, 'bin', 'lanyard-keys'))).toBe(false);
      const passphrase = home.write('passphrase', 'a good passphrase\n');
      const unlock = ['unlock', '--new', '--passphrase-file', passphrase];
      expect((await run(helper, unlock, { env: home.env })).code).toBe(0);
      const added = await run(helper, ['account', 'add', 'far', '--static-token'], { env: home.env });
      // Written, and pending approval: there is no terminal.
      expect(added.code).toBe(20);
      const schema = JSON.parse(
        readFileSync(join(repository, 'main', 'contract', 'config', 'config.schema.json'), 'utf8'),
      ) as unknown;
      expect(JSON.parse(readFileSync(join(home.path, 'config.schema.json'), 'utf8'))).toEqual(schema);
    } finally {
      await started.dispose();
      home.dispose();
    }
  });

  it('runs the request proxy that lies beside its helper', async () => {
    const home = makeHome();
    home.writeConfig({
      version: 1,
      accounts: { far: { staticToken: {} } },
      clusters: { far: { server: 'https://far.example.com', account: 'far', proxy: {} } },
    });
    const started = await startApp({
      home,
      entry: join(app, 'dist', 'app', 'main.js'),
      resources: layout.resources,
    });
    try {
      const helper = join(layout.resources, 'bin', 'lanyard');
      const passphrase = home.write('passphrase', 'a good passphrase\n');
      const unlock = ['unlock', '--new', '--passphrase-file', passphrase];
      expect((await run(helper, unlock, { env: home.env })).code).toBe(0);
      // It makes the CA that the kubeconfig names.
      const written = await run(helper, ['kubeconfig', 'write'], { env: home.env });
      expect([written.code, written.stderr]).toEqual([0, '']);
      const kubeconfig = readFileSync(written.stdout.trim(), 'utf8');
      expect(kubeconfig).toMatch(/https:\/\/127\.0\.0\.1:\d+\/c\/far/);
      const doctor = await run(helper, ['doctor', '--json'], {
        env: { ...home.env, KUBECONFIG: '/dev/null' },
      });
      expect(doctor.stdout).toContain('the first request starts it');
    } finally {
      await started.dispose();
      home.dispose();
    }
  });

  it('has an addon and a keytar that Node loads', () => {
    const load = (file: string) =>
      spawnSync(process.execPath, ['-p', `Object.keys(require(${JSON.stringify(file)})).join(' ')`], {
        encoding: 'utf8',
      }).stdout;
    expect(load(join(layout.resources, 'native', 'lanyard.node'))).toContain('peer');
    expect(load(join(app, 'node_modules', 'keytar'))).toContain('getPassword');
  });

  describe('the release check', () => {
    const copy = (name: string): Layout => {
      const folder = join(output, name);
      cpSync(join(output, 'linux-unpacked'), folder, { recursive: true });
      const found = layoutOf(folder);
      if (found === null) throw new Error('no copy');
      return found;
    };
    const wrongs = async (changed: Layout) =>
      (await checkRelease(changed, host)).filter(({ wrong }) => wrong !== null).map(({ what }) => what);

    const inBin = (changed: Layout, name: string) => join(changed.resources, 'bin', name);
    const addonOf = (changed: Layout) => join(changed.resources, 'native', 'lanyard.node');
    const grow = (file: string, bytes: number, end = '') =>
      writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(bytes), Buffer.from(end)]));

    it('sees a fuse, an archive that was changed after it was packed, a proxy that is missing, and what grew too large', async () => {
      const changed = copy('changed');
      await flipFuses(changed.electron, { version: FuseVersion.V1, [FuseV1Options.RunAsNode]: true });
      const archive = join(changed.resources, 'app.asar');
      const bytes = readFileSync(archive);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      writeFileSync(archive, bytes);
      rmSync(inBin(changed, 'lanyard-proxy'));
      grow(inBin(changed, 'lanyard'), 1.5 * 1024 * 1024);
      grow(addonOf(changed), 1.5 * 1024 * 1024);
      expect(await wrongs(changed)).toEqual([
        'fuses',
        'the archive’s own digests',
        'bin/lanyard-proxy',
        'the helper’s size',
        'the addon’s size',
      ]);
    });

    it('sees a file that was not meant to go in, a helper that doesn’t run, and an addon of another system', async () => {
      const changed = copy('others');
      const folder = join(output, 'others-app');
      cpSync(app, folder, { recursive: true });
      mkdirSync(join(folder, 'test'));
      writeFileSync(join(folder, 'test', 'secrets.test.js'), '');
      await createPackage(folder, join(changed.resources, 'app.asar'));
      writeFileSync(inBin(changed, 'lanyard'), '#!/bin/sh\n');
      writeFileSync(addonOf(changed), ofWindows());
      expect(await wrongs(changed)).toEqual(
        expect.arrayContaining(['what the archive holds', 'bin/lanyard', 'native/lanyard.node']),
      );
    });

    it('sees other programs in the place of the proxy and of lanyard-keys, with their weaknesses', async () => {
      const changed = copy('impostors');
      // Static and at a fixed address, and it issues nothing.
      for (const name of ['lanyard-proxy', 'lanyard-keys']) {
        cpSync(inBin(changed, 'lanyard'), inBin(changed, name));
      }
      expect(await wrongs(changed)).toEqual([
        'the proxy’s hardening',
        'the hardening of lanyard-keys',
        'lanyard-proxy issue',
        'lanyard-keys',
      ]);
    });

    it('sees a proxy that is linked with other libraries, grew too large, and names who built it, and that lanyard-keys is missing', async () => {
      const changed = copy('swollen-proxy');
      const file = inBin(changed, 'lanyard-proxy');
      const bytes = readFileSync(file);
      bytes.write('libx.so.6\0', bytes.indexOf('libc.so.6\0'), 'latin1');
      writeFileSync(file, bytes);
      grow(file, 8 * 1024 * 1024, `${repository}/x`);
      rmSync(inBin(changed, 'lanyard-keys'));
      expect(await wrongs(changed)).toEqual([
        'bin/lanyard-keys',
        'the proxy’s libraries',
        'the proxy’s size',
        'no program names a folder of its builder',
        'lanyard-proxy issue',
      ]);
    });

    it('sees a program of Windows that needs a C runtime', async () => {
      const changed = copy('needs-runtime');
      for (const library of ['VCRUNTIME140.dll', 'libgcc_s_seh-1.dll', 'libwinpthread-1.dll']) {
        writeFileSync(addonOf(changed), ofWindows(`\0${library}\0`));
        expect(await wrongs(changed), library).toEqual([
          'native/lanyard.node',
          'no program needs a C runtime that Windows lacks',
        ]);
      }
    });

    /** The head of a PE file for x64, as far as it says that. */
    function ofWindows(text = ''): Buffer {
      const file = Buffer.alloc(1024);
      file.write('MZ', 0, 'latin1');
      file.writeUInt32LE(0x80, 0x3c);
      file.write('PE\0\0', 0x80, 'latin1');
      file.writeUInt16LE(0x8664, 0x84);
      file.write(text, 512, 'latin1');
      return file;
    }

    it('doesn’t take a stand-in for a release', () => {
      const { status, stdout } = spawnSync(
        process.execPath,
        [join(repository, 'scripts', 'check-release.ts'), join(output, 'linux-unpacked')],
        { encoding: 'utf8' },
      );
      expect([status, stdout]).toEqual([1, expect.stringContaining('stand-in')]);
    });
  });

  describe('deb and rpm', () => {
    const only = (end: string) => {
      const name = readdirSync(output).find((each) => each.endsWith(end));
      if (name === undefined) throw new Error(`no ${end} came out`);
      return join(output, name);
    };
    const files = [
      '/opt/Lanyard/lanyard-desktop',
      '/opt/Lanyard/resources/app.asar',
      '/opt/Lanyard/resources/bin/lanyard',
      '/opt/Lanyard/resources/bin/lanyard-proxy',
      '/opt/Lanyard/resources/bin/lanyard-keys',
      '/opt/Lanyard/resources/apparmor-profile',
      '/usr/bin/lanyard',
      '/usr/bin/kubectl-lanyard',
      '/usr/bin/docker-credential-lanyard',
      '/usr/share/applications/lanyard.desktop',
      '/usr/share/icons/hicolor/256x256/apps/lanyard-desktop.png',
      '/usr/share/man/man1/lanyard.1',
    ];
    const reason = noPackages ?? (spawnSync('dpkg-deb', ['--version']).error ? 'dpkg-deb is not here' : null);

    it('a deb has its metadata, scripts and files', unless(reason), () => {
      const deb = only('.deb');
      const dpkg = (...words: string[]) => spawnSync('dpkg-deb', words, { encoding: 'utf8' }).stdout;
      const field = (name: string) => dpkg('-f', deb, name).trim();
      expect(['Package', 'Architecture', 'Section', 'Priority'].map(field)).toEqual([
        'lanyard',
        process.arch === 'x64' ? 'amd64' : 'arm64',
        'utils',
        'optional',
      ]);
      expect(field('Depends').split(', ')).toContain('libsecret-1-0');
      expect(field('Description')).toContain('kubectl');
      const contents = dpkg('-c', deb);
      for (const file of files) {
        expect(contents).toContain(` .${file}`);
      }
      // All of it root's, and nothing setuid: only the script on the machine decides that of the sandbox.
      expect(
        contents.split('\n').filter((line) => line !== '' && !/^[-dlrwx]{10} root\/root /.test(line)),
      ).toEqual([]);
      expect(contents).toContain('./usr/bin/lanyard -> /opt/Lanyard/resources/bin/lanyard');
      const control = join(output, 'control');
      spawnSync('dpkg-deb', ['-e', deb, control]);
      for (const script of ['postinst', 'postrm']) {
        expect(spawnSync('sh', ['-n', join(control, script)]).status).toBe(0);
        expect(readFileSync(join(control, script), 'utf8')).not.toMatch(
          /\$\{(executable|sanitizedProductName)\}/,
        );
      }
    });

    it('the desktop entry starts the app and names its actions', unless(reason), () => {
      const root = join(output, 'root');
      spawnSync('dpkg-deb', ['-x', only('.deb'), root]);
      const entry = readFileSync(join(root, 'usr', 'share', 'applications', 'lanyard.desktop'), 'utf8');
      const lines = entry.split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([
          'Name=Lanyard',
          'Exec=/opt/Lanyard/lanyard-desktop %U',
          'Icon=lanyard-desktop',
          'StartupWMClass=lanyard',
          'Actions=Accounts;Lock;',
          // An unquoted # is not allowed in an Exec line.
          'Exec=/opt/Lanyard/lanyard-desktop "--show=#/accounts"',
          'Exec=/opt/Lanyard/lanyard-desktop --lock',
        ]),
      );
    });

    const noRpm = noPackages ?? whyNotLong;
    it('an rpm has the same', unless(noRpm), () => {
      const rpm = readRpm(readFileSync(only('.rpm')));
      expect(rpm.texts(rpmTags.name)).toEqual(['lanyard']);
      expect(rpm.texts(rpmTags.arch)).toEqual([process.arch === 'x64' ? 'x86_64' : 'aarch64']);
      expect(rpm.texts(rpmTags.license)).toEqual(['Apache-2.0']);
      expect(rpm.texts(rpmTags.requires)).toContain('(libsecret or libsecret-1-0)');
      expect(rpm.files()).toEqual(expect.arrayContaining(files));
      expect(rpm.texts(rpmTags.postInstall)[0]).toContain('chrome-sandbox');
      expect(rpm.texts(rpmTags.postUninstall)[0]).toContain('/usr/bin/lanyard-desktop');
    });
  });
});

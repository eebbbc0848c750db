import { describe, expect, test } from 'vitest';
import { type KubeconfigEnvironment, kubeconfigPaths } from './kubeconfig-paths.ts';

describe('KUBECONFIG names', () => {
  test.each<[string, KubeconfigEnvironment, string[]]>([
    ['one file', { KUBECONFIG: '/a/config' }, ['/a/config']],
    ['a list', { KUBECONFIG: '/a:/b' }, ['/a', '/b']],
    ['nothing between separators', { KUBECONFIG: ':/a::/b:' }, ['/a', '/b']],
    ['no file by separators alone', { KUBECONFIG: '::', HOME: '/home/me' }, []],
    ['a file twice', { KUBECONFIG: '/a:/b:/a' }, ['/a', '/b']],
    ['a file twice, in two ways', { KUBECONFIG: 'x:/place/x:./x' }, ['/place/x']],
    ['relative files', { KUBECONFIG: 'config:../b' }, ['/place/config', '/b']],
    ['a folder with spaces', { KUBECONFIG: '/a b/c: d' }, ['/a b/c', '/place/ d']],
    ['a file with a semicolon', { KUBECONFIG: '/a;b' }, ['/a;b']],
    ['nothing, unset', { HOME: '/home/me' }, ['/home/me/.kube/config']],
    ['nothing, empty', { KUBECONFIG: '', HOME: '/home/me' }, ['/home/me/.kube/config']],
    ['nothing, without a home', {}, ['/place/.kube/config']],
    ['nothing, USERPROFILE being Windows’', { HOME: '/h', USERPROFILE: '/u' }, ['/h/.kube/config']],
  ])('%s', (_, environment, expected) => {
    expect(kubeconfigPaths(environment, 'linux', '/place')).toEqual(expected);
  });

  test.each<[string, KubeconfigEnvironment, string[]]>([
    ['a list', { KUBECONFIG: 'C:\\a;D:\\b' }, ['C:\\a', 'D:\\b']],
    ['a semicolon within quotes', { KUBECONFIG: '"C:\\a;b";C:\\c' }, ['C:\\a;b', 'C:\\c']],
    ['relative files', { KUBECONFIG: 'x;..\\y;;' }, ['C:\\work\\x', 'C:\\y']],
    ['nothing', { USERPROFILE: 'C:\\Users\\me' }, ['C:\\Users\\me\\.kube\\config']],
    ['nothing, with HOME', { HOME: 'C:\\h', USERPROFILE: 'C:\\u' }, ['C:\\h\\.kube\\config']],
  ])('on Windows: %s', (_, environment, expected) => {
    expect(kubeconfigPaths(environment, 'win32', 'C:\\work')).toEqual(expected);
  });
});

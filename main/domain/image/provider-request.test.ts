import { describe, expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { encodeProviderRequest, type ProviderRequest, readProviderRequest } from './provider-request.ts';

const v1 = 'credentialprovider.kubelet.k8s.io/v1';
const request: ProviderRequest = {
  apiVersion: v1,
  image: 'a.io/team/app',
  serviceAccountToken: new Secret('token'),
  serviceAccountAnnotations: new Map([
    ['b', '2'],
    ['a', '1'],
  ]),
};
const text = (fields: object) =>
  new Secret(
    JSON.stringify({ apiVersion: v1, kind: 'CredentialProviderRequest', image: 'a.io/app', ...fields }),
  );

describe('encodeProviderRequest', () => {
  it('writes a line as the kubelet does', () => {
    expect(encodeProviderRequest(request).reveal()).toBe(
      `{"kind":"CredentialProviderRequest","apiVersion":"${v1}","image":"a.io/team/app",` +
        '"serviceAccountToken":"token","serviceAccountAnnotations":{"a":"1","b":"2"}}\n',
    );
  });

  it.each(['v1alpha1', 'v1beta1'] as const)('writes no token in %s', (version) => {
    const apiVersion = `credentialprovider.kubelet.k8s.io/${version}` as const;
    expect(encodeProviderRequest({ ...request, apiVersion }).reveal()).toBe(
      `{"kind":"CredentialProviderRequest","apiVersion":"${apiVersion}","image":"a.io/team/app"}\n`,
    );
  });
});

describe('readProviderRequest', () => {
  const read = (fields: object) => readProviderRequest(text(fields));

  it('reads what the kubelet writes', () => {
    const made = readProviderRequest(encodeProviderRequest(request));
    expect(made).toEqual({ ok: true, request });
    expect(made.ok && made.request.serviceAccountToken?.reveal()).toBe('token');
  });

  it('ignores a field that it does not know', () => {
    expect(read({ podName: 'x', image: 'a.io/app' })).toMatchObject({
      ok: true,
      request: { image: 'a.io/app' },
    });
  });

  it('takes a token from v1 alone', () => {
    const apiVersion = 'credentialprovider.kubelet.k8s.io/v1beta1';
    const fields = { apiVersion, serviceAccountToken: 'token', serviceAccountAnnotations: { a: '1' } };
    expect(read(fields)).toEqual({
      ok: true,
      request: {
        apiVersion,
        image: 'a.io/app',
        serviceAccountToken: null,
        serviceAccountAnnotations: new Map(),
      },
    });
  });

  it.each([
    [{ image: '' }, 'image in plugin request was empty'],
    [{ image: undefined }, 'image in plugin request was empty'],
    [{ kind: 'Secret' }, 'kind was "Secret", expected CredentialProviderRequest'],
    [{ apiVersion: `${v1}beta9` }, `group version ${v1}beta9 is not supported`],
    [{ apiVersion: 'v1' }, 'group was "v1", expected credentialprovider.kubelet.k8s.io'],
    [{ apiVersion: undefined }, "Object 'apiVersion' is missing"],
    [
      { image: 1 },
      'json: cannot unmarshal number into Go struct field CredentialProviderRequest.image of type string',
    ],
    [
      { kind: 1 },
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
  ])('refuses %j', (fields, message) => {
    expect(read(fields)).toEqual({ ok: false, message });
  });

  it.each(['', 'image: a.io/app', '{"image":"a', '[]'])('refuses %j, which is no request', (stdin) => {
    expect(readProviderRequest(new Secret(stdin))).toMatchObject({
      ok: false,
      message: expect.stringContaining("couldn't get version/kind; json parse error: "),
    });
  });
});

/** What a module needs of the system to see a token. */
export interface NeededPart {
  /** One of these is there. */
  anyOf: string[];
  /** Why no token is seen where none is. */
  missing: string;
  /** How the user gives it that. */
  hint: string;
}

/** `module`: its file, whatever its folder. `variables`: what it gets; null: it is none that is known. */
export function neededPart(
  module: string,
  variables: Readonly<Record<string, string | undefined>>,
): NeededPart | null {
  const file = module.split('/').at(-1) ?? '';
  if (/^(opensc-pkcs11|onepin-opensc-pkcs11|libykcs11)\.so/.test(file)) {
    return {
      // pcsclite’s own variable, and where it listens without that (PCSCLITE_CSOCK_NAME).
      anyOf: [variables['PCSCLITE_CSOCK_NAME'] ?? '/run/pcscd/pcscd.comm'],
      missing: 'pcscd isn’t running, through which smart cards are reached',
      hint: 'start it: sudo systemctl enable --now pcscd.socket (it is in the package pcscd)',
    };
  }
  if (/^libtpm2_pkcs11\.so/.test(file)) {
    const { TPM2_PKCS11_STORE: stated, HOME: home } = variables;
    const usual = [...(home === undefined ? [] : [`${home}/.tpm2_pkcs11`]), '/etc/tpm2_pkcs11'];
    const anyOf = stated === undefined ? usual : [stated];
    return {
      anyOf,
      missing: `tpm2-pkcs11 has no store at ${anyOf.join(' or ')}`,
      hint: 'make one with tpm2_ptool init, or name it: TPM2_PKCS11_STORE in env of the account',
    };
  }
  return null;
}

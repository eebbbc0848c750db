import { Secret } from '../../base/secret.ts';

/**
 * A PIN that was right, for as long as Lanyard is unlocked (rule: key-on-token). Its bytes are wiped; copies on their way to
 * a token are not kept.
 */
export class KeptPin {
  readonly #bytes: Buffer;
  /** The token that it is for: no other one is shown it. */
  readonly serial: string;

  constructor(pin: Secret, serial: string) {
    this.#bytes = Buffer.from(pin.reveal(), 'utf8');
    this.serial = serial;
  }

  get pin(): Secret {
    return new Secret(this.#bytes.toString('utf8'));
  }

  wipe(): void {
    this.#bytes.fill(0);
  }
}

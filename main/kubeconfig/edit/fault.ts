/** Why a kubeconfig can't be edited so that all else stays. Caught by `editKubeconfigText`; the message is for people. */
export class EditFault extends Error {
  /** `message`: lower case, no full stop, names and lines only. */
  constructor(message: string) {
    super(message);
    this.name = 'EditFault';
  }
}

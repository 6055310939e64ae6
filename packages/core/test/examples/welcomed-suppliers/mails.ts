/** Sends mails; what sends them is for the module to say that provides it. */
export abstract class Mails {
  abstract welcome(supplier: { readonly id: number; readonly name: string }): Promise<void>;
}

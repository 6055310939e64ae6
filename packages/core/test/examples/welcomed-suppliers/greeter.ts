/** Notifies an external service of new suppliers. The module that provides it selects the service. */
export abstract class Greeter {
  abstract welcome(supplier: { readonly id: number; readonly name: string }): Promise<void>;
}

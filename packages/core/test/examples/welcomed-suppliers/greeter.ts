/** Tells a service outside of new suppliers; which one is for the module to say that provides it. */
export abstract class Greeter {
  abstract welcome(supplier: { readonly id: number; readonly name: string }): Promise<void>;
}

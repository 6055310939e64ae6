/**
 * Declares the types of a file of class-transformer. The package itself declares them only at another path, where it
 * has no code.
 */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}

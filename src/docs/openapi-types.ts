import { OpenAPIObject } from '@nestjs/swagger';

import { DocumentedAccess } from './document-access.js';

// The parts of an OpenAPI document that are added to what Swagger found, by their names in the specification.

type Of<T> = NonNullable<T>;
type Components = Of<OpenAPIObject['components']>;

export type { OpenAPIObject };
export type ReferenceObject = { $ref: string };
export type HeaderObject = Exclude<Of<Components['headers']>[string], ReferenceObject>;
export type SchemaObject = Exclude<Of<Components['schemas']>[string], ReferenceObject>;
export type ResponseObject = Exclude<Of<Components['responses']>[string], ReferenceObject>;
export type ParameterObject = Exclude<Of<Components['parameters']>[string], ReferenceObject>;
export type ExampleObject = Exclude<Of<Components['examples']>[string], ReferenceObject>;
export type MediaTypeObject = Of<ResponseObject['content']>[string];
export type PathItemObject = OpenAPIObject['paths'][string];
export type OperationObject = Of<PathItemObject['get']> & { 'x-access'?: DocumentedAccess };
export type SecurityRequirement = Of<OperationObject['security']>[number];

import 'reflect-metadata';

import { ApiProperty } from '@nestjs/swagger';
import fastify from 'fastify';

import { Text } from '../../fields/fields.js';
import { jsonSchemaFor } from '../../fields/response-schema.js';

class PlainDto {
  @ApiProperty()
  exported: boolean;

  @ApiProperty({ type: Date })
  at: Date;

  secret: string;
}

class FieldsDto {
  @Text({ max: 10, example: 'a' })
  name: string;
}

class EmptyDto {
  name: string;
}

describe('the response schema of a class', () => {
  it('has exactly the properties with @ApiProperty() if the class has no field decorators', async () => {
    const app = fastify();
    const at = new Date(0);
    const schema = { response: { 200: jsonSchemaFor(PlainDto) } };
    app.get('/', { schema }, () => ({ exported: true, at, secret: 'x' }));
    expect((await app.inject('/')).json()).toEqual({ exported: true, at: at.toISOString() });
  });

  it('is the schema of its fields if the class has any', () => {
    expect(jsonSchemaFor(FieldsDto)).toMatchObject({ properties: { name: { type: 'string' } } });
  });

  it('is refused at start if the class has no properties, because every response would be empty', () => {
    expect(() => jsonSchemaFor(EmptyDto)).toThrow('EmptyDto describes a response, but has no properties');
  });
});

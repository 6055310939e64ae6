import jsonExport from 'jsonexport/dist';
import { createRoot } from 'react-dom/client';
import {
  Admin,
  BooleanField,
  BooleanInput,
  Create,
  Datagrid,
  DateField,
  downloadCSV,
  Edit,
  EmailField,
  List,
  NumberField,
  NumberInput,
  PasswordInput,
  ReferenceField,
  ReferenceManyField,
  required,
  Resource,
  SearchInput,
  SelectInput,
  SimpleForm,
  TextField,
  TextInput,
} from 'react-admin';
import type { Exporter } from 'react-admin';

import { createClient, token } from '../../../src/generated/index.js';
import { authProvider } from './auth-provider.js';
import { dataProvider } from './data-provider.js';

const baseUrl = new URLSearchParams(location.search).get('api') ?? 'http://127.0.0.1:3000';
// 16 requests at once at most: a bulk action is one request for each row.
const api = createClient({ baseUrl, version: 'v2', auth: token(), concurrency: 16 });
const provider = dataProvider(api);
Object.assign(globalThis, { dataProvider: provider });

/** Excel takes a file for UTF-8 only if it begins with the byte order mark. */
const exporter: Exporter = (rows, _fetchRelated, _dataProvider, resource) =>
  jsonExport(rows, (_error: unknown, csv: string) => downloadCSV(`\uFEFF${csv}`, resource ?? 'rows'));

/**
 * A form keeps the row that it was opened with, and its `etag`: a row that is read again meanwhile would let it write
 * over what others changed, with their tag. And it waits for the answer: a conflict is shown in the form.
 */
const FORM = {
  mutationMode: 'pessimistic',
  queryOptions: { refetchOnWindowFocus: false, refetchOnReconnect: false, gcTime: 0 },
} as const;

const search = [<SearchInput key="q" source="q" alwaysOn />];
const ROLES = ['viewer', 'editor', 'admin'].map((id) => ({ id, name: id }));
const STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled'].map((id) => ({ id, name: id }));

const ProductFields = () => (
  <SimpleForm>
    <TextInput source="name" validate={required()} />
    <NumberInput source="price" validate={required()} />
    <TextInput source="category" />
    <BooleanInput source="inStock" defaultValue />
  </SimpleForm>
);

const productFilters = [...search, <TextInput key="category" source="category" alwaysOn />];
const products = {
  list: () => (
    <List exporter={exporter} filters={productFilters}>
      <Datagrid rowClick="edit">
        <TextField source="id" />
        <TextField source="name" />
        <NumberField source="price" />
        <TextField source="category" />
        <BooleanField source="inStock" sortable={false} />
        <NumberField source="rating" />
      </Datagrid>
    </List>
  ),
  edit: () => (
    <Edit {...FORM}>
      <ProductFields />
      <ReferenceManyField reference="reviews" target="productId">
        <Datagrid bulkActionButtons={false}>
          <NumberField source="rating" sortable={false} />
          <TextField source="comment" sortable={false} />
        </Datagrid>
      </ReferenceManyField>
    </Edit>
  ),
  create: () => (
    <Create redirect="list">
      <ProductFields />
    </Create>
  ),
};

const users = {
  list: () => (
    <List exporter={exporter} filters={search}>
      <Datagrid rowClick="edit">
        <TextField source="id" />
        <EmailField source="email" sortable={false} />
        <TextField source="name" sortable={false} />
        <TextField source="role" sortable={false} />
      </Datagrid>
    </List>
  ),
  edit: () => (
    <Edit {...FORM}>
      <SimpleForm>
        <TextInput source="name" />
        <SelectInput source="role" choices={ROLES} />
      </SimpleForm>
    </Edit>
  ),
  create: () => (
    <Create redirect="list">
      <SimpleForm>
        <TextInput source="email" validate={required()} />
        <PasswordInput source="password" validate={required()} />
        <SelectInput source="role" choices={ROLES} defaultValue="viewer" />
      </SimpleForm>
    </Create>
  ),
};

const orders = {
  list: () => (
    <List
      exporter={exporter}
      filters={[<SelectInput key="status" source="status" choices={STATUSES} alwaysOn />]}
    >
      <Datagrid rowClick="edit">
        <TextField source="id" />
        <ReferenceField source="userId" reference="users" sortable={false} />
        <TextField source="status" sortable={false} />
        <NumberField source="total" sortable={false} />
        <DateField source="createdAt" />
      </Datagrid>
    </List>
  ),
  edit: () => (
    <Edit {...FORM}>
      <SimpleForm>
        <SelectInput source="status" choices={STATUSES} />
      </SimpleForm>
    </Edit>
  ),
};

const reviews = {
  list: () => (
    <List exporter={exporter} filters={search}>
      <Datagrid rowClick={false}>
        <TextField source="id" />
        <ReferenceField source="productId" reference="products" sortable={false} />
        <NumberField source="rating" sortable={false} />
        <TextField source="comment" sortable={false} />
      </Datagrid>
    </List>
  ),
};

createRoot(document.getElementById('root') as HTMLElement).render(
  <Admin dataProvider={provider} authProvider={authProvider(api)} requireAuth disableTelemetry>
    <Resource name="products" recordRepresentation="name" {...products} />
    <Resource name="users" recordRepresentation="email" {...users} />
    <Resource name="orders" {...orders} />
    <Resource name="reviews" {...reviews} />
  </Admin>,
);

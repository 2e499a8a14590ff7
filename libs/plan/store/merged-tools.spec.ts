import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const migration = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../prisma/migrations', name, 'migration.sql'), 'utf8');

describe('P9 the learned graph of tools that were merged', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('names the tools that are left, once, and adds up their counts', async () => {
    await client.query(`
      INSERT INTO tenants (id, name) VALUES ('t', 'tenant'), ('u', 'other');
      INSERT INTO tool_edges (tenant_id, from_tool, to_tool, count, confidence) VALUES
        ('t', 'extract_text', 'call_model', 3, 0.7), ('t', 'read_input', 'call_model', 2, 0.6),
        ('t', 'extract_text', 'convert_markdown', 4, 0.8), ('t', 'extract_text', 'read_input', 1, 0.5),
        ('t', 'lint_markdown', 'write_file', 1, 0.5), ('u', 'call_model', 'convert_markdown', 1, 0.5),
        ('u', 'call_model', 'map', 1, 0.5);
      INSERT INTO tool_requests (tenant_id, tool, lesson_id, request) VALUES
        ('t', 'extract_text', 'r1', 'a'), ('t', 'read_input', 'r1', 'a'), ('t', 'convert_markdown', 'r2', 'b'),
        ('t', 'trace_markdown', 'r3', 'c')`);
    await client.query(migration('20261129010000_merged_tools'));
    const edges = await client.query<Record<string, unknown>>(
      'SELECT tenant_id, from_tool, to_tool, count, confidence FROM tool_edges ORDER BY 1, 2, 3',
    );
    expect(edges.rows.map((row) => Object.values(row).join(' '))).toEqual([
      't read_input call_model 5 0.7',
      't read_input write_file 4 0.8',
      'u call_model map 1 0.5',
      'u call_model write_file 1 0.5',
    ]);
    const requests = await client.query<Record<string, unknown>>(
      'SELECT tool, lesson_id FROM tool_requests ORDER BY 1, 2',
    );
    expect(requests.rows.map((row) => Object.values(row).join(' '))).toEqual([
      'read_input r1',
      'write_file r2',
    ]);
  });

  it('names http_request for pages, and loses no edge to itself or another tenant', async () => {
    await client.query(`
      DELETE FROM tool_edges; DELETE FROM tool_requests;
      INSERT INTO tool_edges (tenant_id, from_tool, to_tool, count, confidence) VALUES
        ('t', 'fetch_url', 'call_model', 3, 0.7), ('t', 'http_request', 'call_model', 2, 0.8),
        ('t', 'fetch_url', 'http_request', 4, 0.8), ('u', 'read_input', 'fetch_url', 1, 0.5),
        ('u', 'crm/fetch_url', 'map', 1, 0.5);
      INSERT INTO tool_requests (tenant_id, tool, lesson_id, request) VALUES
        ('t', 'fetch_url', 'r1', 'a'), ('t', 'http_request', 'r1', 'a'), ('u', 'fetch_url', 'r2', 'b')`);
    await client.query(migration('20261129060000_pages_by_requests'));
    const edges = await client.query<Record<string, unknown>>(
      'SELECT tenant_id, from_tool, to_tool, count, confidence FROM tool_edges ORDER BY 1, 2, 3',
    );
    expect(edges.rows.map((row) => Object.values(row).join(' '))).toEqual([
      't http_request call_model 5 0.8',
      'u crm/fetch_url map 1 0.5',
      'u read_input http_request 1 0.5',
    ]);
    const requests = await client.query<Record<string, unknown>>(
      'SELECT tenant_id, tool, lesson_id FROM tool_requests ORDER BY 1, 2',
    );
    expect(requests.rows.map((row) => Object.values(row).join(' '))).toEqual([
      't http_request r1',
      'u http_request r2',
    ]);
  });
});

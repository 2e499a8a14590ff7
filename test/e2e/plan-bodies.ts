/** Request bodies of the specs of plans. */
export const FILES = {
  'data.xml': '<orders><order id="7">Tea &amp; honey</order></orders>',
  'people.csv': 'name,age\nAda,36\nAlan,41\n',
};

export const task = (
  id: string,
  tool: string,
  args: Record<string, unknown> = {},
  depends_on: string[] = [],
) => ({
  id,
  tool,
  arguments: args,
  depends_on,
});
export const from = ($from: string, path: string) => ({ $from, path });
export const readAndParse = {
  tasks: [
    task('list', 'list_inputs', { format: 'csv' }),
    task('read', 'read_input', { name: from('list', '/files/0/name') }),
    task('parse', 'parse_csv', { text: from('read', '/text') }),
  ],
};

import { z } from 'zod';
import type { ToolPorts } from '../ports.js';
import { defineTool, FOR_PEOPLE } from '../tool.js';
import { inputName } from './files.js';
import { rowSchema } from './record.js';

export const READ_TABLE = 'read_table';

/** Formats of which the columns are in the first line, for the check of plans. */
export const isTextTable = (file: string): boolean => /\.(?:csv|tsv)$/i.test(file);

const nullable = z.string().nullable();

export const readTableTool = defineTool({
  name: READ_TABLE,
  description:
    'Read a table from an input file: xlsx, ods, csv, tsv, json, jsonl or parquet. Sheet, header row, encoding, separator and decimal mark are guessed unless given. Numbers are numbers if they can be read in one way: give "decimal" for a column such as 12,000 and 9,500. Dates of spreadsheets are YYYY-MM-DD, other values stay texts.',
  input: z.object({
    name: inputName,
    sheet: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('sheet of a spreadsheet, or list of a JSON object (default: the first)'),
    range: z
      .string()
      .regex(/^[A-Za-z]{1,3}[1-9]\d{0,6}(?::[A-Za-z]{1,3}[1-9]\d{0,6})?$/)
      .optional()
      .describe('cells to read, such as B3:F20; B3 reads from there'),
    header_row: z
      .number()
      .int()
      .min(0)
      .max(1_048_576)
      .optional()
      .describe('row of the file with the names of the columns, from 1; 0 if there is none'),
    encoding: z
      .string()
      .max(40)
      .optional()
      .describe('encoding of a text that is not UTF-8, such as windows-1252'),
    delimiter: z.enum([',', ';', '\t', '|']).optional().describe('separator of the values of a csv or tsv'),
    decimal: z.enum([',', '.']).optional().describe('decimal mark of numbers in texts'),
  }),
  output: z.object({
    columns: z.array(z.string()).describe('names of the columns'),
    rows: z.array(rowSchema).describe('rows of the table'),
    read_as: z
      .object({
        format: z.string(),
        sheet: nullable,
        sheets: z.array(z.string()).nullable().describe('all sheets of the file'),
        range: nullable,
        header_row: z.number().int().nullable(),
        encoding: nullable,
        delimiter: nullable,
        decimal: nullable,
        hidden_values: z
          .number()
          .int()
          .nullable()
          .describe('values in hidden rows and columns, which are read'),
      })
      .meta({ [FOR_PEOPLE]: true })
      .describe('how the file was read'),
  }),
  timeoutMs: 60_000,
  cost: 2,
  async run({ name, ...options }, ports: ToolPorts) {
    return ports.inputs.table(name, options);
  },
});

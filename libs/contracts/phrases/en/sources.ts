/** Why a source of a collection, or a page that is named by its address, cannot be read. */
export const sources = {
  'source_problem.too_much': 'Reading the source takes too much time or memory. Split it and send the parts.',
  'source_problem.outage':
    'A part of the service is unreachable. The source will be indexed when it is available again.',
  'source_problem.not_indexed': 'The source could not be indexed. Send it again, or ask the operator.',
  'source_problem.embedding_outage':
    'The embedding server is not responding. The source will be indexed when it is available again.',
  'source_problem.budget': 'The tenant has used up its model budget for this month.',
  'source_problem.embedding_gone': 'The embedding model is not configured any more.',
  'source_problem.not_embedded': 'The texts could not be embedded.',
  'source_problem.vectors_missing': 'The vectors of the tools are not complete yet.',
  'source_problem.page_type':
    'The page is {type}. Only web pages, PDF and text can be read by their address.',
  'source_problem.page_status': 'The page responds with status {status}.',
  'source_problem.page': 'The page could not be read.',
  'source_problem.unreadable': 'It could not be read.',
  'source_problem.of': '{name}: {problem}',
} as const;

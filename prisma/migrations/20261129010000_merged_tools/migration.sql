-- Of two tools that do the same, one is left; what plans taught about the other is true of it. Two tools are no longer chosen.
WITH names (old, new) AS (VALUES ('extract_text', 'read_input'), ('convert_markdown', 'write_file')),
gone AS (
  DELETE FROM tool_edges
  WHERE from_tool IN ('extract_text', 'convert_markdown', 'lint_markdown', 'trace_markdown')
     OR to_tool IN ('extract_text', 'convert_markdown', 'lint_markdown', 'trace_markdown')
  RETURNING *
),
moved AS (
  SELECT g.tenant_id, coalesce(f.new, g.from_tool) AS from_tool, coalesce(t.new, g.to_tool) AS to_tool, g.count, g.confidence
  FROM gone g LEFT JOIN names f ON f.old = g.from_tool LEFT JOIN names t ON t.old = g.to_tool
)
INSERT INTO tool_edges (tenant_id, from_tool, to_tool, count, confidence)
SELECT tenant_id, from_tool, to_tool, sum(count)::integer, max(confidence) FROM moved
WHERE from_tool <> to_tool
  AND from_tool NOT IN ('lint_markdown', 'trace_markdown') AND to_tool NOT IN ('lint_markdown', 'trace_markdown')
GROUP BY 1, 2, 3
ON CONFLICT (tenant_id, from_tool, to_tool) DO UPDATE
SET count = tool_edges.count + excluded.count, confidence = greatest(tool_edges.confidence, excluded.confidence);

WITH gone AS (
  DELETE FROM tool_requests
  WHERE tool IN ('extract_text', 'convert_markdown', 'lint_markdown', 'trace_markdown')
  RETURNING *
)
INSERT INTO tool_requests (tenant_id, tool, lesson_id, request, created_at)
SELECT tenant_id, CASE tool WHEN 'extract_text' THEN 'read_input' ELSE 'write_file' END, lesson_id, request, created_at
FROM gone WHERE tool IN ('extract_text', 'convert_markdown')
ON CONFLICT DO NOTHING;

-- fetch_url is part of http_request now; what plans taught about it is true of that tool.
WITH gone AS (
  DELETE FROM tool_edges WHERE 'fetch_url' IN (from_tool, to_tool) RETURNING *
),
moved AS (
  SELECT tenant_id, CASE from_tool WHEN 'fetch_url' THEN 'http_request' ELSE from_tool END AS from_tool,
    CASE to_tool WHEN 'fetch_url' THEN 'http_request' ELSE to_tool END AS to_tool, count, confidence
  FROM gone
)
INSERT INTO tool_edges (tenant_id, from_tool, to_tool, count, confidence)
SELECT tenant_id, from_tool, to_tool, sum(count)::integer, max(confidence) FROM moved
WHERE from_tool <> to_tool
GROUP BY 1, 2, 3
ON CONFLICT (tenant_id, from_tool, to_tool) DO UPDATE
SET count = tool_edges.count + excluded.count, confidence = greatest(tool_edges.confidence, excluded.confidence);

WITH gone AS (
  DELETE FROM tool_requests WHERE tool = 'fetch_url' RETURNING *
)
INSERT INTO tool_requests (tenant_id, tool, lesson_id, request, created_at)
SELECT tenant_id, 'http_request', lesson_id, request, created_at FROM gone
ON CONFLICT DO NOTHING;

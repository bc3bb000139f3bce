-- Starts `clickbpf lsp` for the buffer, or lets the server that runs already look after it as well.
local M = {}
local running

function M.start()
  local command = vim.g.clickbpf_command or 'clickbpf'
  if vim.fn.executable(command) == 0 then
    return
  end
  local config = { name = 'clickbpf', cmd = { command, 'lsp' }, root_dir = vim.fn.getcwd() }
  if vim.lsp.start then
    vim.lsp.start(config)
    return
  end
  if not running or vim.lsp.client_is_stopped(running) then
    running = vim.lsp.start_client(config)
  end
  if running then
    vim.lsp.buf_attach_client(0, running)
  end
end

return M

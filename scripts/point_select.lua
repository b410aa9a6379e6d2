-- For sysbench: reads one of the rows that dbdyno-load made, by its key.
-- --prepared=on uses a prepared statement, as sysbench's own oltp_point_select does.
sysbench.cmdline.options = {
  keys = {"Rows of table_test", 100000},
  prepared = {"Use a prepared statement", false}
}

function thread_init()
  connection = sysbench.sql.driver():connect()
  if sysbench.opt.prepared then
    statement = connection:prepare("SELECT str FROM table_test WHERE id=?")
    id = statement:bind_create(sysbench.sql.type.INT)
    statement:bind_param(id)
  end
end

function event()
  local key = sysbench.rand.uniform(1, sysbench.opt.keys)
  if sysbench.opt.prepared then
    id:set(key)
    statement:execute()
  else
    connection:query(string.format("SELECT str FROM table_test WHERE id=%d", key))
  end
end

function thread_done()
  connection:disconnect()
end

autocmd BufRead,BufNewFile *.click setfiletype click

FromDevice(eth0) ->(eth0) -> i :: Idle ;
FlowInfo(i x/x);

ELEMENT(InputSwitch)
{
	return var(vars)->input == input ? OUTPUT(0) : DROP(DISCARDED);
}
